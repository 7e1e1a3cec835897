import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { record, recordPlace } from "../../src/banks/directory/directory-layout.ts";

/** Where the fragment of a record is in the directory, as the kernel reads it. */
export interface Fragment {
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

/** Reads the fragment of a record; of a further location, which has none, its length is 0. */
export function fragmentOf({ bytes }: BankDirectory, index: number): Fragment {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = recordPlace(index);
  const start = view.getUint32(at + record.fragment, true);
  const length = view.getUint16(at + record.fragmentBytes, true);
  return {
    start,
    length,
    text: new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice(start, start + length)),
  };
}
