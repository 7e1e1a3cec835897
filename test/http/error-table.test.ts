import assert from "node:assert/strict";
import { test } from "node:test";
import { errorMessage, expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import { words } from "../support/words.ts";
import { exchangeOnce, postBytes, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const get = (path: string) => requestBytes("GET", path);
const post = (path: string, body: unknown) =>
  postBytes(path, typeof body === "string" ? body : JSON.stringify(body));
const suggest = (body: unknown) => post("/v1/suggest", body);
const search = (body: unknown) => post("/v1/search", body);
const ask = (request: Buffer) => exchangeOnce(service.port, request);

const iban = "DE89370400440532013000";
const account = { kontonummer: "532013000", bankleitzahl: "37040044" };

async function expectEach(code: string, requests: readonly Buffer[], field?: string): Promise<void> {
  for (const request of requests) {
    const answer = await ask(request);
    const seen = `${request.subarray(0, 1_000)}: ${answer.status} ${answer.body}`;
    assert.doesNotThrow(() => expectError(answer, code, field), seen);
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
      "DE8937040044053201300\u0000",
      "ÄE89370400440532013000",
      "ＤＥ89370400440532013000",
      " ",
      "é".repeat(30),
    ],
    raw: ["%", "%4", "%zz", `${iban}%`, "%ff%fe", "%c3%28", `DE89%2520${iban}`, `${iban}%2Fx`, `${iban}%00`],
    values: [...notTexts, "", [iban], { iban }, undefined],
  },
  invalid_bic: {
    why: "not 8 or 11 characters, not six letters first, or of no country",
    paths: (text) => [`/v1/iban/${iban}/${text}`, `/v1/bic/${text}`],
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
  const gets = [...texts.map(encodeURIComponent), ...raw].flatMap(paths).map(get);
  const posts = [...texts, ...values].map((value) => post(...body(value)));
  test(`${code}: ${why}`, () => expectEach(code, [...gets, ...posts]));
}

/** Why a request is refused at one path alone, or for its fields together, and requests that are. */
const refused: Readonly<Record<string, readonly [why: string, requests: readonly Buffer[]]>> = {
  invalid_iban: [
    "no text to suggest for, or too many unreadable characters",
    [{}, { iban: 5 }, { iban: "" }, { iban: "DE8937040044053?????00" }].map(suggest),
  ],
  invalid_max: ["of suggestions, as of a search", [51, "0"].map((max) => suggest({ iban, max }))],
  invalid_bic: ["of a bank search, other characters than letters and digits", [get("/v1/search?bic=COB!")]],
  invalid_json: ["no object with a text to suggest for", [suggest([])]],
  batch_size_invalid: [
    "no entry, or more than 500",
    [[], Array(501).fill(iban), Array(60_000).fill(0)].map((ibans) => post("/v1/iban", { ibans })),
  ],
  invalid_batch_ibans: [
    "present, but no array",
    [null, iban, "", 7, true, {}, { 0: iban, length: 1 }].map((ibans) => post("/v1/iban", { ibans })),
  ],
  conflicting_iban_fields: [
    "both fields, with any content",
    [post("/v1/iban", { iban, ibans: [iban] }), post("/v1/iban", { iban: 1, ibans: 2 })],
  ],
  invalid_zip: [
    "of a bank search, other than digits",
    [get("/v1/search?zip=5044x"), search({ zip: 50_447 }), search({ name: "a", zip: "x" })],
  ],
  missing_search_criteria: [
    "a bank search for nothing",
    [
      ...words`/v1/search /v1/search?max=5 /v1/search?country=AT /v1/search?name=%20`.map(get),
      get("/v1/search?name=&location=&zip=&bankleitzahl="),
      search(""),
      search({ name: null, location: "", zip: null, bankleitzahl: "" }),
    ],
  ],
};

for (const [code, [why, requests]] of Object.entries(refused))
  test(`${code}: ${why}`, () => expectEach(code, requests));

test("invalid_request names the field that its endpoint does not take", async () => {
  const many = `/v1/search?country=${Array(251).fill("DE").join()}`;
  for (const [field, ...paths] of [
    ["country", "/v1/banks/US/123", "/v1/sample", "/v1/search?name=x&country=ZZ", many],
    ["bank_code", "/v1/banks/AT/12%2000"],
    ["lang", `/v1/iban/${iban}?lang=fr`, "/v1/search?name=a&lang=", "/v1/kto/1/2?lang=DE"],
    ["n", "/v1/sample?country=ES&n=101"],
    ["offset", "/v1/search?name=x&offset=1001"],
  ])
    await expectEach("invalid_request", paths.map(get), field);
  const texts = [{}, { text: 5 }, { text: null }].map((body) => post("/v1/extract", body));
  await expectEach("invalid_request", texts, "text");
});

test("valid encoding is decoded once, and messages name the bounds", async () => {
  assert.equal((await ask(get(`/v1/iban/%44${iban.slice(1)}`))).status, 200);
  for (const sepa of [0, 1, "0", "1", "", null])
    assert.equal((await ask(post("/v1/kto", { ...account, sepa }))).status, 200, JSON.stringify(sepa));
  assert.match(errorMessage(await ask(get(`${accountPath}?sepa=2`))), /0 or 1/);
  assert.match(errorMessage(await ask(get("/v1/search?name=a&max=0"))), /1 and 50/);
  assert.match(errorMessage(await ask(post("/v1/iban", { ibans: [] }))), /1 to 500/);
});

test("invalid_iban says what the text is instead, if that is known", async () => {
  for (const request of [
    post("/v1/iban", { iban: "COBADEFFXXX" }),
    get("/v1/iban/COBADEFFXXX"),
    post("/v1/iban?suggest=1&lenient=1", { iban: "COBA DE FF XXX" }),
  ]) {
    const answer = await ask(request);
    expectError(answer, "invalid_iban");
    assert.equal(errorMessage(answer), "This has the form of a BIC, not of an IBAN.");
  }
});

test("an error says which values fit, what is required, and which endpoint does not exist", async () => {
  const france = { country: "FR", bank_code: "20041", account: "0500013M026" };
  const germany = { country: "DE", bank_code: "37040044" };
  const compose = (body: object) => post("/v1/compose", body);
  for (const [request, field, sentence] of [
    [get(`/v1/iban/${iban}?reason=2`), "reason", "reason must be 0 or 1."],
    [get(`/v1/iban/${iban}?lang=fr`), "lang", "lang must be en or de."],
    [compose({}), "country", "country is required."],
    [compose(france), "branch_code", "branch_code is required for FR."],
    [
      compose({ ...germany, account: "1", branch_code: "1" }),
      "branch_code",
      "IBANs of DE have no branch code.",
    ],
    [
      compose({ ...germany, account: "0" }),
      "account",
      "The account number (kontonummer) is missing, zero, or contains characters other than digits.",
    ],
    [get("/v1/nope"), undefined, "No such endpoint: GET /v1/nope"],
    [get(`/v1/nope/${iban}/x`), undefined, "No such endpoint: GET /v1/nope/…/x"],
    [get(`/v1/${"x".repeat(5_000)}`), undefined, "No such endpoint: GET /v1/…"],
  ] as const) {
    const answer = await ask(request);
    expectError(answer, "invalid_request", field);
    assert.equal(errorMessage(answer), sentence);
  }
});

test("a property that POST /v1/kto does not know is invalid_request and named; elsewhere it is ignored", async () => {
  for (const [property, body] of [
    ["bic", { ...account, bic: "COBADEFFXXX" }],
    ["__proto__", `{"__proto__":{},${JSON.stringify(account).slice(1)}`],
    ["constructor", { ...account, constructor: 1 }],
  ] as const)
    expectError(await ask(post("/v1/kto", body)), "invalid_request", property);
  assert.equal((await ask(post("/v1/iban", { iban, kontonummer: "x" }))).status, 200);
  assert.equal((await ask(post("/v1/iban", { ibans: [iban], bic: 7 }))).status, 200);
});
