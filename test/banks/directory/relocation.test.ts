import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDirectory } from "../../../src/banks/directory/build.ts";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { header, LAYOUT_VERSION } from "../../../src/banks/directory/directory-layout.ts";
import { germanBank, italianBank, someEdition } from "../records.ts";

const records = [germanBank(), germanBank({ main: false, location: "Bergheim", bic: null }), italianBank()];
const buffer = buildDirectory(records, someEdition);

function copyAt(byteOffset: number, room = buffer.byteLength): SharedArrayBuffer {
  const larger = new SharedArrayBuffer(byteOffset + room);
  const target = new Uint8Array(larger).fill(0xff);
  target.set(new Uint8Array(buffer).subarray(0, room), byteOffset);
  return larger;
}

test("memory that holds no whole directory is refused", () => {
  assert.throws(() => new BankDirectory(new SharedArrayBuffer(64)), /no bank directory at byte 0/);
  assert.throws(() => new BankDirectory(new SharedArrayBuffer(256)), /no bank directory at byte 0/);
  assert.throws(() => new BankDirectory(copyAt(0), 64), /no bank directory at byte 64/);
  assert.throws(() => new BankDirectory(copyAt(0, buffer.byteLength - 1)), /cut off/);
  const newer = copyAt(0);
  new DataView(newer).setUint32(header.version, LAYOUT_VERSION + 1, true);
  assert.throws(
    () => new BankDirectory(newer),
    new RegExp(`layout ${LAYOUT_VERSION + 1}; this build reads ${LAYOUT_VERSION}`),
  );
});
