import assert from "node:assert/strict";
import { test } from "node:test";
import { errorMessage, expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { exchangeOnce, postBytes, type RawAnswer, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

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

/** A field in a path or query, and in a body; what is wrong in both, in a path as it is written, and in a body alone. */
interface Field {
  readonly why: string;
  readonly paths: (text: string) => readonly string[];
  readonly body: (value: unknown) => readonly [path: string, body: unknown];
  readonly texts: readonly string[];
  readonly raw?: readonly string[];
  readonly values: readonly unknown[];
}

const { kontonummer, bankleitzahl } = account;
const accountPath = `/v1/kto/${kontonummer}/${bankleitzahl}`;
const notTexts = [null, 7, true, [], {}];

const fields: Readonly<Record<string, Field>> = {
  invalid_iban: {
    why: "too short, not two letters first, other characters than letters and digits, or wrong encoding",
    paths: (text) => [`/v1/iban/${text}`, `/v1/iban/${text}/COBADEFFXXX`],
    body: (value) => ["/v1/iban", { iban: value }],
    texts: [
      ...words`DE893704004405 89DE370400440532013000 D389370400440532013000 DE8937040044053201300ß D % DE89-3704-0044-0532-0130-00`,
      ...[
        "DE8937040044053201300\u0000",
        "ÄE89370400440532013000",
        "ＤＥ89370400440532013000",
        " ",
        "é".repeat(30),
      ],
    ],
    raw: ["%", "%4", "%zz", `${iban}%`, "%ff%fe", "%c3%28", `DE89%2520${iban}`, `${iban}%2Fx`, `${iban}%00`],
    values: [...notTexts, "", [iban], { iban }, undefined],
  },
  invalid_bic: {
    why: "not 8 or 11 characters, not six letters first, or of no country",
    paths: (text) => [`/v1/iban/${iban}/${text}`],
    body: (value) => ["/v1/iban", { iban, bic: value }],
    texts: words`COBADEF COBADEFFX COBADEFFXX COBADEFFXXXX COB1DEFFXXX COBA1EFFXXX COBADEF-XXX COBAZZFFXXX x ÄOBADEFFXXX`,
    raw: ["%zz", "%20"],
    values: [7, true, [], ["COBADEFFXXX"], {}, " "],
  },
  invalid_kontonummer: {
    why: "missing, zero, or other characters than digits",
    paths: (text) => [`/v1/kto/${text}/${bankleitzahl}`],
    body: (value) => ["/v1/kto", { kontonummer: value, bankleitzahl }],
    texts: words`0 0000000000 00000000000 12a -1 +1 1.0 1e3 0x10 １２３ %31x`,
    raw: ["%zz"],
    values: [...notTexts, 532013000, 0, ["532013000"], "", " ", undefined],
  },
  invalid_blz: {
    why: "missing, or other characters than digits",
    paths: (text) => [`/v1/kto/${kontonummer}/${text}`],
    body: (value) => ["/v1/kto", { kontonummer, bankleitzahl: value }],
    texts: words`3704004x 37-04 DE370400 ３７０４００４４ -37040044`,
    raw: ["%e9"],
    values: [...notTexts, 37_040_044, "", " ", undefined],
  },
  invalid_sepa: {
    why: "set, but neither 0 nor 1",
    paths: (text) =>
      [accountPath, `/v1/iban/${iban}`, `/v1/iban/${iban}/COBADEFFXXX`].map((path) => `${path}?sepa=${text}`),
    body: (value) => ["/v1/kto", { ...account, sepa: value }],
    texts: words`2 -1 01 true 1.0 １`,
    raw: ["", "%20", "1%00", "%zz"],
    values: [2, -1, 0.5, " ", true, false, [], [1], {}],
  },
  invalid_max: {
    why: "not an integer from 1 to 50",
    paths: (text) => [`/v1/search?name=a&max=${text}`],
    body: (value) => ["/v1/search", { name: "a", max: value }],
    texts: words`0 51 -1 1.5 x 1e1 999999999999999999999`,
    values: [0, 51, -1, 1.5, true, [], {}],
  },
};

for (const [code, { why, paths, body, texts, raw = [], values }] of Object.entries(fields)) {
  test(`${code}: ${why}`, async () => {
    for (const text of [...texts.map(encodeURIComponent), ...raw])
      for (const path of paths(text)) await expectEach(code, { [path]: get(path) });
    for (const value of [...texts, ...values])
      await expectEach(code, { [JSON.stringify(value)]: post(...body(value)) });
  });
}

test("valid encoding is decoded once, an empty body lacks its fields, and messages name the bounds", async () => {
  assert.equal((await get(`/v1/iban/%44${iban.slice(1)}`)).status, 200);
  await expectEach("invalid_iban", { empty: post("/v1/iban", "") });
  await expectEach("invalid_kontonummer", { empty: post("/v1/kto", "") });
  for (const sepa of [0, 1, "0", "1", "", null])
    assert.equal((await post("/v1/kto", { ...account, sepa })).status, 200, JSON.stringify(sepa));
  assert.match(errorMessage(await get(`${accountPath}?sepa=2`)), /0 or 1/);
  assert.match(errorMessage(await get("/v1/search?name=a&max=0")), /1 and 50/);
});

test("invalid_iban says what the text is instead, if that is known", async () => {
  for (const answer of [
    await post("/v1/iban", { iban: "COBADEFFXXX" }),
    await get("/v1/iban/COBADEFFXXX"),
    await post("/v1/iban?suggest=1&lenient=1", { iban: "COBA DE FF XXX" }),
  ]) {
    const { error } = JSON.parse(String(answer.body)) as { error: { code: string; message: string } };
    assert.deepEqual(error, {
      ...error,
      code: "invalid_iban",
      message: "This has the form of a BIC, not of an IBAN.",
    });
  }
});

test("an error says which values fit, what is required, and which endpoint does not exist", async () => {
  const france = { country: "FR", bank_code: "20041", account: "0500013M026" };
  for (const [answer, field, sentence] of [
    [get(`/v1/iban/${iban}?reason=2`), "reason", "reason must be 0 or 1."],
    [get(`/v1/iban/${iban}?lang=fr`), "lang", "lang must be en or de."],
    [post("/v1/compose", {}), "country", "country is required."],
    [post("/v1/compose", france), "branch_code", "branch_code is required for FR."],
    [
      post("/v1/compose", { country: "DE", bank_code: "37040044", account: "1", branch_code: "1" }),
      "branch_code",
      "IBANs of DE have no branch code.",
    ],
    [
      post("/v1/compose", { country: "DE", bank_code: "37040044", account: "0" }),
      "account",
      "The account number (kontonummer) is missing, zero, or contains characters other than digits.",
    ],
    [get("/v1/nope"), undefined, "No such endpoint: GET /v1/nope"],
    [get(`/v1/nope/${iban}/x`), undefined, "No such endpoint: GET /v1/nope/…/x"],
    [get(`/v1/${"x".repeat(5_000)}`), undefined, "No such endpoint: GET /v1/…"],
  ] as const) {
    const got = await answer;
    expectError(got, "invalid_request", field);
    assert.equal(errorMessage(got), sentence);
  }
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

test("invalid_zip and missing_search_criteria are errors of a bank search", async () => {
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
