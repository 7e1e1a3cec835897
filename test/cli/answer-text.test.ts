import assert from "node:assert/strict";
import { test } from "node:test";
import { byteCharacters, characters } from "../../src/cli/fetch-over-http.ts";

test("an answer is read as characters, or with one character for each byte, escapes or not", () => {
  for (const json of ['{"bank":"Köln €"}', String.raw`{"bank":"K\u00f6ln \u20ac"}`]) {
    const bytes = Buffer.from(json);
    const { bank } = JSON.parse(characters(bytes)) as { bank: string };
    assert.equal(bank, "Köln €");
    const { bank: inBytes } = JSON.parse(byteCharacters(bytes)) as { bank: string };
    assert.equal(Buffer.from(inBytes, "latin1").toString("utf8"), bank);
  }
});
