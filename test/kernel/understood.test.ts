import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { test } from "node:test";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { plain } from "../../src/checks/answer.ts";
import { germanBank, italianBank, someEdition } from "../banks/records.ts";
import { KernelMemory } from "../support/kernel-memory.ts";

const memory = new KernelMemory(buildDirectory([germanBank(), italianBank()], someEdition));
const iban = "DE89370400440532013000";

/** The bodies that the kernel must understand, as a second description: a whole body, byte by byte. */
const understood = (() => {
  const space = "[ \\t\\r\\n]*";
  const text = '"[ !#-\\[\\]-\\xff]*"';
  const list = `${space}${text}${space}(?:,${space}${text}${space}){0,499}`;
  return new RegExp(`^${space}\\{${space}"ibans"${space}:${space}\\[${list}\\]${space}\\}${space}$`);
})();

/** Compares the kernel with the promise for one body, and its answer with the reference's. */
function assertAsPromised(body: Buffer): boolean {
  const before = Buffer.from(body);
  const isUnderstood = isUtf8(body) && understood.test(body.toString("latin1"));
  assert.equal(memory.answer(body) !== undefined, isUnderstood, JSON.stringify(body.toString("latin1")));
  assert.deepEqual(memory.bytes.subarray(memory.bytes.length - body.length), before, "the body was changed");
  if (isUnderstood) memory.assertEqual(JSON.parse(body.toString()).ibans, plain, body);
  return isUnderstood;
}

/** All that `\s` matches beyond ASCII. */
const unicodeSpaces = [..."\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"];

const odd: Readonly<Record<string, string>> = {
  "no white space": `{"ibans":["${iban}"]}`,
  "white space at every place": ` \t{\r\n"ibans" \n: \t[ \r"${iban}"\n,\t"x" ]\r\n} \n`,
  "an empty string": '{"ibans":[""]}',
  "a string of spaces": '{"ibans":["   "]}',
  "brackets, braces, commas and colons in a string": '{"ibans":["],}:{[,"]}',
  "a key in a string": '{"ibans":["ibans","{ibans:[]}"]}',
  "printable characters to the last": '{"ibans":["~!#$%&\'()*+-./:;<=>?@^_`{|}"]}',
  "a letter with an accent": `{"ibans":["DÉ","${iban}"]}`,
  "white space of every kind in IBANs": `{"ibans":[${unicodeSpaces.map((space) => `"DE89${space}3704 0044 0532 0130 00"`)}]}`,
  "characters of two, three and four bytes": '{"ibans":["é","€","😀","ｄｅ８９","\u2028"]}',
  "an IBAN longer than any with a no-break space": `{"ibans":["${iban}${iban}\u00a0${iban}","x"]}`,
  "five hundred entries with a no-break space": `{"ibans":[${`"DE89\u00a0${iban.slice(4)}",`.repeat(499)}"x"]}`,
  "five hundred entries": `{"ibans":[${`"${iban}",`.repeat(499)}"x"]}`,
};

const foreign: Readonly<Record<string, string>> = {
  "nothing but white space": " \r\n\t ",
  "an empty object": "{}",
  "an empty array": '{"ibans":[]}',
  "an array with white space": '{"ibans":[ \n ]}',
  "five hundred and one entries": `{"ibans":[${`"${iban}",`.repeat(500)}"x"]}`,
  "an escaped quote": '{"ibans":["DE\\""]}',
  "an escaped backslash": '{"ibans":["DE\\\\"]}',
  "an escaped solidus": '{"ibans":["DE\\/89"]}',
  "a Unicode escape in the key": '{"\\u0069bans":["x"]}',
  "a key before": '{"a":"b","ibans":["x"]}',
  "a key behind": '{"ibans":["x"],"a":"b"}',
  "the key twice": '{"ibans":["x"],"ibans":["y"]}',
  "the single field as well": `{"ibans":["x"],"iban":"${iban}"}`,
  "a number": '{"ibans":["x",7]}',
  "a null": '{"ibans":[null]}',
  "a true": '{"ibans":[true,"x"]}',
  "a nested array": '{"ibans":[["x"]]}',
  "a nested object": '{"ibans":[{"a":"x"}]}',
  "a string in place of the array": '{"ibans":"x"}',
  "an object in place of the array": '{"ibans":{"a":"x"}}',
  "an array in place of the object": '["ibans",["x"]]',
  "quotes but no string": '{""""',
  "a key cut short": '{"ib""s"',
  "single quotes": "{'ibans':['x']}",
  "a comment": '{"ibans":["x"]/**/}',
  "a second value behind": '{"ibans":["x"]}{}',
  "a byte order mark": '\ufeff{"ibans":["x"]}',
  "a no-break space outside the strings": '{"ibans":\u00a0["x"]}',
};

for (const bodies of [odd, foreign]) {
  for (const [name, body] of Object.entries(bodies)) {
    test(`a body with ${name} is ${bodies === odd ? "" : "not "}understood`, () => {
      assert.equal(assertAsPromised(Buffer.from(body)), bodies === odd);
    });
  }
}

/** Two entries that are long enough for each way of reading, and a short one. */
const sample = Buffer.from(`{ "ibans" : ["${iban}","de89 3704 0044 0532 0130 00" ,"x"] }`);

const signs = ['"', ",", ":", "[", "]", "{", "}", "\\", " ", '","', '""', "\\u0041"];

test("a body cut off at any place, or with a byte replaced, removed, doubled or moved, or a sign put in there, is understood exactly where that is promised", () => {
  let understoodBodies = 0;
  for (let at = 0; at <= sample.length; at++) {
    const [before, behind, rest] = [sample.subarray(0, at), sample.subarray(at), sample.subarray(at + 1)];
    for (const parts of [
      [before],
      [before, rest],
      [sample.subarray(0, at + 1), behind],
      [behind, before],
      ...Array.from({ length: 256 }, (_, byte) => [before, Buffer.of(byte), rest]),
      ...signs.map((sign) => [before, Buffer.from(sign), behind]),
    ]) {
      if (assertAsPromised(Buffer.concat(parts))) understoodBodies++;
    }
  }
  assert.ok(understoodBodies > 1_000, `${understoodBodies} bodies were understood`);
});

test("the count stays that of the last batch that was answered", () => {
  assert.notEqual(memory.answer(Buffer.from('{"ibans":["a","b","c"]}')), undefined);
  assert.equal(memory.kernel.count(), 3);
  assert.equal(memory.answer(Buffer.from('{"ibans":["a","b"]')), undefined);
  assert.equal(memory.kernel.count(), 3);
});
