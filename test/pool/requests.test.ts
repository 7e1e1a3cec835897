import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { routes } from "../../src/contract/routes.ts";
import { beginsLikeBatch, decodeSegment, taskOf } from "../../src/pool/requests.ts";

test("every route whose work is done by a worker has its task, but for streams, which make many", () => {
  const pooled = routes
    .filter(({ pooled, operation }) => pooled && operation !== "stream")
    .map(({ operation }) => operation);
  assert.deepEqual(Object.keys(taskOf).toSorted(), pooled.toSorted());
});
test("a segment is percent-decoded once, and malformed encoding gives an empty text", () => {
  assert.equal(decodeSegment("DE89"), "DE89");
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

const likeBatch: Readonly<Record<string, boolean>> = {
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
};

for (const [body, expected] of Object.entries(likeBatch)) {
  test(`${JSON.stringify(body)} ${expected ? "begins" : "does not begin"} like a batch`, () => {
    assert.equal(beginsLikeBatch(Buffer.from(body)), expected);
  });
}
