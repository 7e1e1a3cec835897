import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { record, recordPlace } from "../../src/banks/directory/directory-layout.ts";

/** Reads the fragment of a record, as the kernel does, and its length in bytes: 0 for a further location, which has none. */
export function fragmentOf({ bytes }: BankDirectory, index: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = recordPlace(index);
  const start = view.getUint32(at + record.fragment, true);
  const length = view.getUint16(at + record.fragmentBytes, true);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice(start, start + length));
  return { length, text };
}
