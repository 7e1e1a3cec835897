import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFormalIban, normaliseIban } from "../../../src/banking/iban/normalise.ts";
import { isFormalIbanBytes, normaliseIbanBytes } from "../../../src/banking/iban/normalise-bytes.ts";

/** Normalises a text's UTF-8 bytes from one place of a buffer to another and gives the text that comes out. */
function throughBytes(text: string, inPlace: boolean): string {
  const encoded = Buffer.from(text, "utf8");
  const buffer = Buffer.concat([Buffer.from("##"), encoded, Buffer.from("##")]);
  const target = inPlace ? buffer : Buffer.alloc(encoded.length + 7, "#");
  const targetStart = inPlace ? 2 : 5;
  const length = normaliseIbanBytes(buffer, 2, encoded.length, target, targetStart);
  assert.equal(target.toString("utf8", targetStart - 2, targetStart), "##");
  if (!inPlace)
    assert.equal(target.toString("utf8", targetStart + length), "#".repeat(encoded.length + 2 - length));
  return target.toString("utf8", targetStart, targetStart + length);
}

/** Every UTF-16 unit that `\s` matches. */
const spaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((c) =>
  /\s/.test(c),
);

test("bytes are normalised like strings, whatever they hold", () => {
  const unit = fc.oneof(
    fc.constantFrom(...spaces),
    fc.constantFrom(..."azAZ09{`@[/:-.é€ß𝒳"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(
      fc.array(unit).map((units) => units.join("")),
      fc.boolean(),
      (text, inPlace) => {
        assert.equal(throughBytes(text, inPlace), normaliseIban(text));
      },
    ),
    { numRuns: 5_000 },
  );
});

test("every character that is white space to JavaScript goes, and none of its neighbours does", () => {
  for (const space of spaces) {
    const code = space.charCodeAt(0);
    assert.equal(throughBytes(`de${space}89`, false), "DE89", `U+${code.toString(16)}`);
    for (const neighbour of [String.fromCharCode(code - 1), String.fromCharCode(code + 1)]) {
      const text = `a${neighbour}b`;
      assert.equal(throughBytes(text, false), normaliseIban(text), `beside U+${code.toString(16)}`);
    }
  }
});

test("characters cut off at the end of the bytes are kept as they are", () => {
  for (const space of ["\u00a0", "\u2003", "\u205f", "\u3000", "\ufeff", "\u1680"]) {
    const bytes = Buffer.from(space, "utf8");
    for (let length = 1; length < bytes.length; length++) {
      const target = Buffer.alloc(4);
      assert.equal(normaliseIbanBytes(bytes, 0, length, target, 0), length);
      assert.deepEqual(target.subarray(0, length), bytes.subarray(0, length));
    }
  }
});

test("the form of an IBAN is the same over bytes as over strings", () => {
  const character = fc.constantFrom(..."ADEZ0159az-@[/:é");
  fc.assert(
    fc.property(
      fc.array(character, { minLength: 12, maxLength: 18 }),
      fc.boolean(),
      (characters, isPlain) => {
        const text = (isPlain ? characters.filter((c) => /[A-Z0-9]/.test(c)) : characters).join("");
        const bytes = Buffer.from(`#${text}#`, "utf8");
        assert.equal(isFormalIbanBytes(bytes, 1, bytes.length - 2), isFormalIban(text));
      },
    ),
    { numRuns: 3_000 },
  );
  assert.equal(isFormalIbanBytes(Buffer.from("DE0123456789012"), 0, 15), true);
  assert.equal(isFormalIbanBytes(Buffer.from("DE0123456789012"), 0, 14), false);
});
