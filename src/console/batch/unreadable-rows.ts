/** Why something cannot be read as rows, or written as a workbook. */
export class UnreadableRows extends Error {
  readonly reason: "empty" | "noText" | "pdf" | "image" | "quotes" | "tooMany" | "libraryMissing";

  constructor(reason: UnreadableRows["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** Throws where a library that only some files need could not be loaded. */
export function missing(): never {
  throw new UnreadableRows("libraryMissing");
}
