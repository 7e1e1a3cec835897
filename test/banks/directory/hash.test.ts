import assert from "node:assert/strict";
import { test } from "node:test";
import { ibanCountryByCode } from "../../../src/banking/iban/registry.ts";
import { buildDirectory } from "../../../src/banks/directory/build.ts";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { hashBankKey } from "../../../src/banks/directory/directory-layout.ts";
import { italianBank, someEdition } from "../records.ts";

const italy = ibanCountryByCode("IT")!.index;

/** Returns two different bank and branch codes, ten digits, whose keys have the same hash. */
function findCollision(): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; number < 400_000; number++) {
    const code = String(number * 24_977).padStart(10, "0");
    const bytes = Buffer.alloc(16);
    bytes.write(code.slice(0, 5), 0);
    bytes.write(code.slice(5), 10);
    const hash = hashBankKey(
      italy,
      bytes.readInt32LE(0),
      bytes.readInt32LE(4),
      bytes.readInt32LE(8),
      bytes.readInt32LE(12),
    );
    const other = seen.get(hash);
    if (other !== undefined) return [other, code];
    seen.set(hash, code);
  }
  throw new Error("no collision among the codes tried");
}

test("two keys of equal hash are distinguished", () => {
  const codes = findCollision();
  const records = codes.map((code) =>
    italianBank({ bankCode: code.slice(0, 5), branchCode: code.slice(5), location: code }),
  );
  const find = (directory: BankDirectory, code: string): number =>
    directory.findByBankCode(italy, new TextEncoder().encode(code), 0, 5, 5, 5);
  const both = new BankDirectory(buildDirectory(records, someEdition));
  for (const code of codes) assert.equal(both.record(find(both, code)).location, code);
  const one = new BankDirectory(buildDirectory(records.slice(0, 1), someEdition));
  assert.equal(one.record(find(one, codes[0])).location, codes[0]);
  assert.equal(find(one, codes[1]), -1);
});
