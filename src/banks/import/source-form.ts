import type { DatasetName } from "../files/datasets.ts";
import type { SourceRow } from "./source-rows.ts";
import type { SourceText } from "./source-text.ts";

/** What a source file says: rows in the normal form of its dataset, save the columns that the import adds. */
export interface SourceTable {
  readonly rows: readonly SourceRow[];
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** One form in which bank data is published. */
export interface SourceForm {
  readonly name: string;
  /** The dataset, or what tells it from the file's name where the content does not. */
  readonly dataset:
    | DatasetName
    | { readonly byName: (file: string) => DatasetName | undefined; readonly hint: string };
  /** Columns that the form leaves empty; what was known before stays. */
  readonly untold?: readonly string[];
  recognises(source: SourceText): boolean;
  /** @throws {DataFileError} with line and reason, where the file does not follow the form. */
  read(source: SourceText): SourceTable;
}
