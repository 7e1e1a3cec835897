import assert from "node:assert/strict";
import { before, test } from "node:test";
import { errorMessage, expectError } from "../contract/error-table.ts";
import { type RunningService, sharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { exchangeOnce, postBytes, type RawAnswer, requestBytes } from "./raw-socket.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});

const get = (path: string): Promise<RawAnswer> => exchangeOnce(service.port, requestBytes("GET", path));
const post = (path: string, body: unknown): Promise<RawAnswer> =>
  exchangeOnce(service.port, postBytes(path, typeof body === "string" ? body : JSON.stringify(body)));

const iban = "DE89370400440532013000";
const account = { kontonummer: "532013000", bankleitzahl: "37040044" };

async function expectEach(code: string, answers: Record<string, Promise<RawAnswer>>): Promise<void> {
  for (const [what, answer] of Object.entries(answers)) {
    const got = await answer;
    assert.doesNotThrow(() => expectError(got, code), `${what}: ${got.status} ${got.body}`);
  }
}

test("invalid_iban: too short, not two letters first, or other characters than letters and digits", async () => {
  const wrong = words`
    DE893704004405 89DE370400440532013000 D389370400440532013000 DE8937040044053201300ß
  `;
  const odd = [
    "DE89-3704-0044-0532-0130-00",
    "DE8937040044053201300\u0000",
    "ÄE89370400440532013000",
    "ＤＥ89370400440532013000",
  ];
  for (const text of [...wrong, ...odd, "", " ", "D", "%", "é".repeat(30)]) {
    await expectEach("invalid_iban", { [`body ${text}`]: post("/v1/iban", { iban: text }) });
    if (text !== "") {
      await expectEach("invalid_iban", {
        [`path ${text}`]: get(`/v1/iban/${encodeURIComponent(text)}`),
        [`path with BIC ${text}`]: get(`/v1/iban/${encodeURIComponent(text)}/COBADEFFXXX`),
      });
    }
  }
  for (const value of [null, 7, true, [], [iban], {}, { iban }]) {
    await expectEach("invalid_iban", { [JSON.stringify(value)]: post("/v1/iban", { iban: value }) });
  }
  await expectEach("invalid_iban", { missing: post("/v1/iban", {}), empty: post("/v1/iban", "") });
});

test("invalid_iban says what the text is instead, if that is known", async () => {
  for (const answer of [
    await post("/v1/iban", { iban: "COBADEFFXXX" }),
    await get("/v1/iban/COBADEFFXXX"),
    await post("/v1/iban?suggest=1&lenient=1", { iban: "COBA DE FF XXX" }),
  ]) {
    const { error } = JSON.parse(String(answer.body)) as { error: { code: string; message: string } };
    assert.deepEqual(error, { ...error, code: "invalid_iban", message: "This is a BIC, not an IBAN." });
  }
});

test("explain=1 says in data.kind what a text is instead of an IBAN, alone, in a batch and in a stream", async () => {
  const texts = {
    "DE98 ZZZ0 9999 9999 99": ["creditor_identifier", /^This is a creditor identifier/],
    "bitte zahlen Sie bald": ["prose", /^This is text without digits, not an IBAN\.$/],
    COBADEFFXXX: ["bic", /^This is a BIC, not an IBAN\.$/],
    "4111111111111111": ["card", /^This is a card number/],
    DE89370400440532013001: [undefined, /check digits/],
  } as const;
  const ibans = Object.keys(texts);
  interface Entry {
    readonly data: { readonly kind?: string; readonly message: string };
    readonly error?: { readonly message: string };
  }
  const { batch } = JSON.parse(String((await post("/v1/iban?explain=1&reason=1", { ibans })).body)) as {
    batch: { results: Entry[] };
  };
  const lines = await service.post("/v1/stream?explain=1&reason=1", ibans.join("\n"), {
    "Content-Type": "text/plain",
  });
  const streamed = (await lines.text()).split("\n").map((line) => (line === "" ? {} : JSON.parse(line)));
  for (const [index, [kind, sentence]] of Object.values(texts).entries()) {
    for (const { data, error } of [batch.results[index]!, streamed[index] as Entry]) {
      assert.equal(data.kind, kind);
      assert.match(data.message, sentence);
      if (error !== undefined) assert.match(error.message, sentence);
    }
  }
  const alone = await post("/v1/iban?explain=1", { iban: ibans[0] });
  const { message, data } = JSON.parse(String(alone.body)) as { message: string; data: { kind: string } };
  assert.match(`${data.kind}: ${message}`, /^creditor_identifier: This is a creditor identifier/);
});

test("an error says which values fit, what is required, and which endpoint does not exist", async () => {
  const france = { country: "FR", bank_code: "20041", account: "0500013M026" };
  for (const [answer, field, sentence] of [
    [get(`/v1/iban/${iban}?reason=2`), "reason", "reason must be 0 or 1."],
    [get(`/v1/iban/${iban}?lang=fr`), "lang", "lang must be en or de."],
    [post("/v1/compose", {}), "country", "country is required."],
    [post("/v1/compose", france), "branch_code", "branch_code is required for FR."],
    [get("/v1/nope"), undefined, "No such endpoint: GET /v1/nope"],
    [get(`/v1/nope/${iban}/x`), undefined, "No such endpoint: GET /v1/nope/…/x"],
    [get(`/v1/${"x".repeat(5_000)}`), undefined, "No such endpoint: GET /v1/…"],
  ] as const) {
    const got = await answer;
    expectError(got, "invalid_request", field);
    assert.equal(errorMessage(got), sentence);
  }
});

test("invalid_iban: percent-encoding that is malformed, decodes to no UTF-8, or was applied twice", async () => {
  for (const path of [
    "%",
    "%4",
    "%zz",
    `${iban}%`,
    "%ff%fe",
    "%c3%28",
    `DE89%2520${iban}`,
    `${iban}%2Fx`,
    `${iban}%00`,
  ]) {
    await expectEach("invalid_iban", { [path]: get(`/v1/iban/${path}`) });
  }
  const letter = "%44E89370400440532013000";
  assert.equal((await get(`/v1/iban/${letter}`)).status, 200, "valid encoding is decoded once");
});

test("invalid_bic: not 8 or 11 characters, not six letters first, or of no country", async () => {
  const wrong = words`COBADEF COBADEFFX COBADEFFXX COBADEFFXXXX COB1DEFFXXX COBA1EFFXXX COBADEF-XXX`;
  for (const bic of [...wrong, "COBAZZFFXXX", "x", "ÄOBADEFFXXX"]) {
    await expectEach("invalid_bic", {
      [`path ${bic}`]: get(`/v1/iban/${iban}/${encodeURIComponent(bic)}`),
      [`body ${bic}`]: post("/v1/iban", { iban, bic }),
    });
  }
  for (const bic of [7, true, [], ["COBADEFFXXX"], {}, " "]) {
    await expectEach("invalid_bic", { [JSON.stringify(bic)]: post("/v1/iban", { iban, bic }) });
  }
  await expectEach("invalid_bic", {
    encoding: get(`/v1/iban/${iban}/%zz`),
    space: get(`/v1/iban/${iban}/%20`),
  });
});

test("invalid_kontonummer: missing, zero, or other characters than digits", async () => {
  const { bankleitzahl } = account;
  for (const kontonummer of words`0 0000000000 00000000000 12a -1 +1 1.0 1e3 0x10 １２３ %31x`) {
    await expectEach("invalid_kontonummer", {
      [`path ${kontonummer}`]: get(`/v1/kto/${encodeURIComponent(kontonummer)}/${bankleitzahl}`),
      [`body ${kontonummer}`]: post("/v1/kto", { kontonummer, bankleitzahl }),
    });
  }
  for (const kontonummer of [532013000, 0, null, true, [], ["532013000"], {}, "", " "]) {
    await expectEach("invalid_kontonummer", {
      [JSON.stringify(kontonummer)]: post("/v1/kto", { kontonummer, bankleitzahl }),
    });
  }
  await expectEach("invalid_kontonummer", {
    missing: post("/v1/kto", { bankleitzahl }),
    empty: post("/v1/kto", ""),
    object: post("/v1/kto", {}),
    encoding: get(`/v1/kto/%zz/${bankleitzahl}`),
  });
});

test("invalid_blz: missing, or other characters than digits", async () => {
  const { kontonummer } = account;
  for (const bankleitzahl of ["3704004x", "37-04", "DE370400", "３７０４００４４", "-37040044"]) {
    await expectEach("invalid_blz", {
      [`path ${bankleitzahl}`]: get(`/v1/kto/${kontonummer}/${encodeURIComponent(bankleitzahl)}`),
      [`body ${bankleitzahl}`]: post("/v1/kto", { kontonummer, bankleitzahl }),
    });
  }
  for (const bankleitzahl of [37_040_044, null, false, [], {}, "", " "]) {
    await expectEach("invalid_blz", {
      [JSON.stringify(bankleitzahl)]: post("/v1/kto", { kontonummer, bankleitzahl }),
    });
  }
  await expectEach("invalid_blz", {
    missing: post("/v1/kto", { kontonummer }),
    encoding: get("/v1/kto/1/%e9"),
  });
});

test("batch_size_invalid: no entry, or more than 500", async () => {
  await expectEach("batch_size_invalid", {
    none: post("/v1/iban", { ibans: [] }),
    "501": post("/v1/iban", { ibans: Array(501).fill(iban) }),
    "many short ones": post("/v1/iban", { ibans: Array(60_000).fill(0) }),
  });
  assert.match(errorMessage(await post("/v1/iban", { ibans: [] })), /1 to 500/);
});

test("invalid_batch_ibans: present, but no array", async () => {
  for (const ibans of [null, iban, "", 7, true, {}, { 0: iban, length: 1 }]) {
    await expectEach("invalid_batch_ibans", { [JSON.stringify(ibans)]: post("/v1/iban", { ibans }) });
  }
});

test("conflicting_iban_fields: both fields, with any content", async () => {
  await expectEach("conflicting_iban_fields", {
    right: post("/v1/iban", { iban, ibans: [iban] }),
    wrong: post("/v1/iban", { iban: 1, ibans: 2 }),
  });
});

test("invalid_sepa: set, but neither 0 nor 1", async () => {
  const path = `/v1/kto/${account.kontonummer}/${account.bankleitzahl}`;
  for (const sepa of ["2", "-1", "01", "true", "1.0", "", "%20", "1%00", "%zz", "%EF%BC%91"]) {
    await expectEach("invalid_sepa", {
      [`account ${sepa}`]: get(`${path}?sepa=${sepa}`),
      [`IBAN ${sepa}`]: get(`/v1/iban/${iban}?sepa=${sepa}`),
      [`IBAN with BIC ${sepa}`]: get(`/v1/iban/${iban}/COBADEFFXXX?sepa=${sepa}`),
    });
  }
  for (const sepa of [2, -1, 0.5, "2", "01", " ", true, false, [], [1], {}]) {
    await expectEach("invalid_sepa", { [JSON.stringify(sepa)]: post("/v1/kto", { ...account, sepa }) });
  }
  for (const sepa of [0, 1, "0", "1", "", null]) {
    assert.equal((await post("/v1/kto", { ...account, sepa })).status, 200, JSON.stringify(sepa));
  }
  assert.match(errorMessage(await get(`${path}?sepa=2`)), /0 or 1/);
});

test("invalid_max, invalid_zip and missing_search_criteria are errors of a bank search", async () => {
  for (const max of ["0", "51", "-1", "1.5", "x", "1e1", "999999999999999999999"]) {
    await expectEach("invalid_max", {
      [`query ${max}`]: get(`/v1/search?name=a&max=${max}`),
      [`body ${max}`]: post("/v1/search", { name: "a", max }),
    });
  }
  for (const max of [0, 51, -1, 1.5, true, [], {}]) {
    await expectEach("invalid_max", { [JSON.stringify(max)]: post("/v1/search", { name: "a", max }) });
  }
  assert.match(errorMessage(await get("/v1/search?name=a&max=0")), /1 and 50/);
  await expectEach("invalid_zip", {
    letters: get("/v1/search?zip=5044x"),
    number: post("/v1/search", { zip: 50_447 }),
    "beside a name": post("/v1/search", { name: "a", zip: "x" }),
  });
  await expectEach("missing_search_criteria", {
    nothing: get("/v1/search"),
    "max only": get("/v1/search?max=5"),
    empty: get("/v1/search?name=&location=&zip=&bankleitzahl="),
    blank: get("/v1/search?name=%20"),
    "no body": post("/v1/search", ""),
    nulls: post("/v1/search", { name: null, location: "", zip: null, bankleitzahl: "" }),
  });
});

test("a property that POST /v1/kto does not know is invalid_request and named; elsewhere it is ignored", async () => {
  expectError(await post("/v1/kto", { ...account, bic: "COBADEFFXXX" }), "invalid_request", "bic");
  expectError(
    await post("/v1/kto", `{"__proto__":{},${JSON.stringify(account).slice(1)}`),
    "invalid_request",
    "__proto__",
  );
  expectError(await post("/v1/kto", { ...account, constructor: 1 }), "invalid_request", "constructor");
  assert.equal((await post("/v1/iban", { iban, kontonummer: "x" })).status, 200);
  assert.equal((await post("/v1/iban", { ibans: [iban], bic: 7 })).status, 200);
});
