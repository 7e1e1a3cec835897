import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";

/** Thrown for a damaged data file, with place and reason. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";
  /** Name of the file without its folder. */
  readonly file: string;
  /** Line, counted from 1 with the header. */
  readonly line: number;
  /** The fault as half a sentence, without the place. */
  readonly reason: string;

  constructor(file: string, line: number, reason: string) {
    super(`${file}, line ${line}: ${reason}`);
    this.file = file;
    this.line = line;
    this.reason = reason;
  }
}

/** Reads a file of bank data whole. Rejects if it is a pipe or a device, which may never end. */
export async function readDataFile(path: string | URL): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new DataFileError(basename(`${path}`), 1, "it is not a file");
  return readFile(path);
}
