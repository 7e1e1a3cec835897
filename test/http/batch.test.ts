import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { useSharedService } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { checkBatch } from "./calls.ts";

const service = useSharedService();

const examples = ibanCountries.map(({ example }) => example);
const notAnIban = {
  http_status: 400,
  code: "invalid_iban",
  message:
    "The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.",
  field: "iban",
};
const nothingKnown = {
  bic: null,
  bank: "",
  zip: "",
  location: "",
  iban: null,
  kto: "",
  blz: "",
  country: "",
  sepa_methods: { sct: 0, sdd: 0, b2b: 0, scc: 0 },
};

/** Every code point below U+0100, and the bounds of UTF-8. */
const points = [...Array(256).keys(), 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0x10000];

const oddTexts: readonly (readonly [given: string, echoed: string])[] = [
  ...points.map((code) => {
    const text = `1${String.fromCodePoint(code)}2`;
    return [text, text.replace(/\s/g, "").replace(/[a-z]/g, (letter) => letter.toUpperCase())] as const;
  }),
  ["", ""],
  [" \t\r\n\u00a0\u2003\u3000\ufeff", ""],
  ["DE89", "DE89"],
  ["89DE370400440532013000", "89DE370400440532013000"],
  ["de89-3704-0044-0532-0130-00", "DE89-3704-0044-0532-0130-00"],
  ['"\\/', '"\\/'],
  ["\u0000\u0001\u001f\u007f", "\u0000\u0001\u001f\u007f"],
  ["\b\f", "\b"],
  ["ﬁ ı İ ſ K", "ﬁıİſK"],
  ["ＤＥ８９３７０４００４４０５３２０１３０００", "ＤＥ８９３７０４００４４０５３２０１３０００"],
  ["DE8937040044053201300٠", "DE8937040044053201300٠"],
  ["😀 👩‍👩‍👧 🇩🇪", "😀👩‍👩‍👧🇩🇪"],
  ["\u2028\u2029", ""],
  ["\u200b\u200e\u202e", "\u200b\u200e\u202e"],
  ["\ufffe\uffff\u{10ffff}", "\ufffe\uffff\u{10ffff}"],
  ["\ud800", "\ufffd"],
  ["\udc00\ud800", "\ufffd\ufffd"],
  ["e\u0301", "E\u0301"],
  ["</script><!--", "</SCRIPT><!--"],
];

test("unusual texts are returned as sent, except for white space, case and lone surrogates", async () => {
  const { batch } = await checkBatch(service, pluck(oddTexts, 0));
  const refused = { valid: false, status: 3, data: nothingKnown, error: notAnIban };
  for (const [index, [, echoed]] of oddTexts.entries())
    assert.deepEqual(batch.results[index], { iban: echoed, ...refused });
});

test("however the JSON of a batch is written, the answer is the same", async () => {
  const ibans = [...examples, "", "DE", "de89 3704 0044 0532 0130 00", "DE89-3704", "DE00370400440532013000"];
  const plain = JSON.stringify({ ibans });
  const escaped = ibans.map(
    (iban) => `"${iban.replace(/./g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)}"`,
  );
  const expected = await (await service.post("/v1/iban", plain)).text();
  for (const [how, body] of Object.entries({
    "white space": JSON.stringify({ ibans }, null, 2),
    "tabs and carriage returns": `\r\n{\t"ibans"\r:\n${plain.slice(9, -1).replaceAll(",", "\t,\r\n ")} \t}\r\n`,
    "a further property": JSON.stringify({ x: 1, ibans }),
    "a property behind": `${plain.slice(0, -1)},"bic":null}`,
    "the field twice": `{"ibans":[],${plain.slice(1)}`,
    "escapes in the name": plain.replace("ibans", "\\u0069bans"),
    "every character escaped": `{"ibans":[${escaped.join(",")}]}`,
    "a byte order mark": `\ufeff${plain}`,
  }))
    assert.equal(await (await service.post("/v1/iban", body)).text(), expected, how);
});

test("batches of all sizes sent at the same time never mix, and keep order and duplicates", async () => {
  const sizes = [1, 2, 3, 50, 499, 500, 7, 250, 500, 1, 89, 500];
  const batches = sizes.map((size, at) =>
    Array.from({ length: size }, (_, index) => examples[(index * (at + 1) + at) % examples.length]!),
  );
  const answers = await Promise.all(batches.map((ibans) => checkBatch(service, ibans)));
  for (const [index, { batch }] of answers.entries()) {
    assert.deepEqual(pluck(batch.results, "iban"), batches[index]);
    assert.ok(batch.results.every(({ valid }) => valid));
  }
});
