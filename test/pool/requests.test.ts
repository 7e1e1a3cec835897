import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { beginsLikeBatch, decodeSegment, taskOf } from "../../src/pool/requests.ts";

const request = (parameters: readonly string[], query = "", body: object = {}) => ({
  parameters,
  query,
  language: "en" as const,
  body: Buffer.from(JSON.stringify(body)),
});

test("of an option sent twice the first decides whether a text must have the form of an IBAN", () => {
  for (const option of ["suggest", "lenient"]) {
    for (const [query, code] of [
      [`${option}=1&${option}=0`, undefined],
      [`x=1&${option}=%31`, undefined],
      [`${option}=0&${option}=1`, "invalid_iban"],
      [`x${option}=1`, "invalid_iban"],
    ] as const) {
      const check = () => taskOf.checkIbanByPath(request(["E8937040044"], query));
      if (code === undefined) assert.doesNotThrow(check, query);
      else assert.throws(check, { code }, query);
    }
  }
});

test("what has a short text takes a small slot, a body that the worker parses a large one", () => {
  const iban = "DE89370400440532013000";
  for (const [expected, tasks] of Object.entries({
    small: [
      taskOf.checkIbanByPath(request([iban], "sepa=1&reason=1&reach=1&explain=1&suggest=1")),
      taskOf.checkIbanAndBicByPath(request([iban, "COBADEFFXXX"])),
      taskOf.checkAccountByPath(request(["532013000", "37040044"])),
      taskOf.checkIbanByBody(request([], "", { iban })),
      taskOf.lookUpBic(request(["COBADEFFXXX"])),
      taskOf.lookUpBank(request(["DE", "37040044"])),
      taskOf.searchByQuery(request([], "name=sparkasse")),
      taskOf.suggest(request([], "", { iban: "DE8937040044053201??00" })),
      taskOf.composeIban(request([], "", { country: "DE", bank_code: "37040044", account: "532013000" })),
      taskOf.sampleIbans(request([], "country=DE")),
    ],
    large: [
      taskOf.checkIbanByBody(request([], "", { ibans: [iban] })),
      taskOf.extract(request([], "", { text: iban })),
      taskOf.searchByBody(request([], "", { name: "x".repeat(1_025) })),
    ],
  }))
    for (const { size } of tasks) assert.equal(size, expected);
});

test("a segment is percent-decoded once, and malformed encoding becomes an empty text", () => {
  assert.equal(decodeSegment("%44E%20%C3%A9"), "DE é");
  assert.equal(decodeSegment("%2520"), "%20");
  assert.equal(decodeSegment("a+b"), "a+b");
  for (const malformed of ["%", "%2", "%zz", "%c3", "%ff", "%ed%a0%80", "%c0%80"]) {
    assert.equal(decodeSegment(malformed), "", malformed);
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(decodeSegment(encodeURIComponent(text)), text);
      decodeSegment(text);
      decodeSegment(`%${text}`);
    }),
  );
});

test("a body begins like a batch where its first field is `ibans`, as it is written", () => {
  for (const [body, expected] of Object.entries({
    '{"ibans":[]}': true,
    ' \t\r\n{ \n"ibans" : 7': true,
    '{"ibans"': true,
    '{"iban":"x"}': false,
    '{"ibanss":[]}': false,
    '{"ibans': false,
    '["ibans"]': false,
    '{"x":1,"ibans":[]}': false,
    '{"\\u0069bans":[]}': false,
    "": false,
    "   ": false,
    "{": false,
  }))
    assert.equal(beginsLikeBatch(Buffer.from(body)), expected, body);
});
