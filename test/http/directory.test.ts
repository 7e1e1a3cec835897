import assert from "node:assert/strict";
import { test } from "node:test";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import type { AccountCheckAnswer, IbanBatchEntry, IbanCheckAnswer } from "../../src/client/index.ts";
import { quickServiceOf, testKey, useSharedService } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { ask } from "./calls.ts";

const service = useSharedService();

const withTag = (etag: string) => ({ headers: { "X-API-Key": testKey, "If-None-Match": etag } });

test("unknown codes are status 0 without invented data", async () => {
  const { status, data } = await ask(service, "/v1/bic/ZZZZDEFF", "bicLookup");
  assert.deepEqual([status, data.name, data.head_office, data.banks], [0, null, null, []]);
  assert.equal((await ask(service, "/v1/banks/AT/99999", "bankLookup")).status, 0);
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

test("pages of a search together are the search, and a page behind the last one is empty", async () => {
  const page = async (max: number, offset: number) => {
    const byQuery = await ask(service, `/v1/search?name=sparkasse&max=${max}&offset=${offset}`, "bankSearch");
    const byBody = await ask(service, "/v1/search", "bankSearch", { name: "sparkasse", max, offset });
    assert.deepEqual(byBody, byQuery);
    return byQuery.results;
  };
  const whole = await page(50, 0);
  const pages = await Promise.all([0, 10, 20, 30, 40].map((offset) => page(10, offset)));
  assert.deepEqual(pluck(pages, "items").flat(), whole.items);
  for (const { total, count } of pages) assert.deepEqual([total, count], [whole.total, 10]);
  const { results } = await ask(service, "/v1/search?bankleitzahl=37040044&offset=1000", "bankSearch");
  assert.deepEqual([results.count, results.items], [0, []]);
  assert.ok(results.total > 0);
});

test("the lists of bank data are reported by country, with age and completeness", async () => {
  const { edition, lists, registers } = await ask(service, "/service/data", "bankData");
  assert.equal(edition, "2026-09-07");
  const germany = lists.find(({ country }) => country === "DE")!;
  assert.deepEqual([germany.dataset, germany.rows, germany.completeness], ["blz", 3_507, "complete"]);
  for (const { country, rows, with_bic, edition: day, is_old } of lists) {
    assert.ok(ibanCountryByCode(country) !== undefined && rows >= with_bic && rows > 0);
    if (day === null) assert.equal(is_old, true, country);
  }
  const facts = registers.map(({ dataset, edition, rows }) => `${dataset} ${edition} ${rows}`);
  assert.deepEqual(facts, ["uk-weights 2025-06-23 723", "uk-substitutions 2005-06-13 21"]);
  const etag = (await service.request("/service/data")).headers.get("etag")!;
  const again = await service.request("/service/data", withTag(etag));
  assert.equal(again.status, 304);
});

test("a search has the countries that are asked for, by query and by body", async () => {
  const german = await ask(service, "/v1/search?name=unicredit", "bankSearch");
  assert.ok(german.results.items.every((item) => !("country" in item)));
  const two = await ask(service, "/v1/search?bic=UNCR&country=BG,it&max=50", "bankSearch");
  assert.deepEqual([...new Set(pluck(two.results.items, "country"))].sort(), ["BG", "IT"]);
  const typo = await ask(service, "/v1/search?name=unicrdit%20austria&country=*", "bankSearch");
  assert.match(typo.results.items[0]!.bank, /UniCredit Bank Austria/);
  const austrian = { bankleitzahl: "1200", country: "AT", max: 50 };
  const { results } = await ask(service, "/v1/search", "bankSearch", austrian);
  assert.ok(results.items.length > 3);
  for (const { bank_code } of results.items) assert.match(bank_code!, /^1200/);
});

test("the reach is given only on request, alone and in batches, and null where no register is loaded", async () => {
  const iban = "AT611904300234573201";
  const dataOf = async (query: string) => {
    const single = await ask(service, `/v1/iban/${iban}${query}`, "ibanCheck");
    const { batch } = await ask(service, `/v1/iban${query}`, "ibanBatch", { ibans: [iban] });
    assert.deepEqual(batch.results[0]!.data, single.data);
    return single.data;
  };
  const plain = await dataOf("");
  assert.ok(!("sepa_reach" in plain));
  assert.deepEqual(await dataOf("?reach=0"), plain);
  assert.deepEqual(await dataOf("?reach=1"), { ...plain, sepa_reach: { sct_inst: null, vop: null } });
});

test("with OBSERVE_ACCOUNTS=DE a German account that fails its method alone is valid with a warning, in every form, and a British one is wrong", async (t) => {
  const observing = await quickServiceOf(t, { OBSERVE_ACCOUNTS: "DE" });
  const right = composeIban("DE", "120300001234567897");
  const wrong = composeIban("DE", "120300001234567890");
  const british = "GB56NWBK60161331926818";
  const verdict = ({ status, data }: IbanCheckAnswer | AccountCheckAnswer | IbanBatchEntry) =>
    [status, data.reason, data.severity].join(" ");
  const ibans = [right, wrong, british];
  const expected = ["1  ", "1 account_check_digit warning", "0 national_check_digits error"];
  const singles = ibans.map((iban) => ask(observing, `/v1/iban/${iban}?reason=1`, "ibanCheck"));
  assert.deepEqual((await Promise.all(singles)).map(verdict), expected);
  const { batch } = await ask(observing, "/v1/iban?reason=1", "ibanBatch", { ibans });
  assert.deepEqual(batch.results.map(verdict), expected);
  const text = { "Content-Type": "text/plain" };
  const stream = await (await observing.post("/v1/stream?reason=1", ibans.join("\n"), text)).text();
  const lines = stream.split("\n").slice(0, 3);
  const verdicts = lines.map((line) => verdict(JSON.parse(line)));
  assert.deepEqual(verdicts, expected);
  const statusOf = async (iban: string) => (await ask(observing, `/v1/iban/${iban}`, "ibanCheck")).status;
  assert.deepEqual(await Promise.all(ibans.map(statusOf)), [1, 1, 0], "without a reason");
  const account = await ask(observing, "/v1/kto/1234567890/12030000?reason=1&sepa=1", "accountCheck");
  assert.deepEqual([verdict(account), account.data.iban], [expected[1], wrong]);
  // Whether a sub-account was left out, only the check digit says.
  const ambiguous = await ask(observing, "/v1/kto/1234567/50070010?reason=1&sepa=1", "accountCheck");
  assert.equal(verdict(ambiguous), "9 rule_rejects_account error");
  const parts = { country: "DE", bank_code: "12030000", account: "1234567890" };
  assert.equal((await ask(observing, "/v1/compose", "composedIban", parts)).data.iban, wrong);
  const { message } = await ask(observing, "/v1/suggest", "suggest", { iban: wrong });
  assert.equal(message, "The IBAN is valid; there is nothing to correct.");
});
