import type { LayoutOptions } from "../../rows/layout.ts";

/** What becomes of rows that cannot be read: they end the run, stay in the output, or go to a file of their own. */
export type BadRows = { readonly kind: "stop" | "keep" } | { readonly kind: "reject"; readonly file: string };

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
  /** Add what a number that is not valid was probably meant to be. */
  readonly suggests: boolean;
  readonly badRows: BadRows;
  /** Write only these rows. */
  readonly only: "valid" | "invalid" | undefined;
  /** Names of the columns to add; all where it is undefined. */
  readonly select: readonly string[] | undefined;
  /** Comes before the names of added columns. */
  readonly prefix: string;
  /** Sheet of an XLSX file. */
  readonly sheet: string | undefined;
}
