import type { LayoutOptions } from "./layout.ts";

/** What is to be done with a file. */
export interface FileRequest extends LayoutOptions {
  /** Path of the input, `-` for standard input. */
  readonly file: string;
  /** Path of the output; undefined for standard output. */
  readonly output: string | undefined;
  /** Continue an interrupted run. */
  readonly resume: boolean;
  /** Replace an output that is there. */
  readonly force: boolean;
  /** Generate the IBAN of each account. */
  readonly generates: boolean;
}
