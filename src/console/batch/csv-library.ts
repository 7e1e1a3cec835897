/** What is used of the CSV library. */
export interface CsvLibrary {
  parse(
    text: string,
    options: {
      readonly preview: number;
      readonly delimitersToGuess: readonly string[];
      readonly skipEmptyLines: true;
    },
  ): { readonly meta: { readonly delimiter: string } };
  readonly Parser: new (options: {
    readonly delimiter: string;
    readonly newline: string;
  }) => {
    parse(text: string, offset: number, ignoreLastRow: boolean): ParsedRows;
  };
  unparse(
    rows: readonly (readonly unknown[])[],
    options: { readonly delimiter: string; readonly escapeFormulae: RegExp },
  ): string;
}

interface ParsedRows {
  readonly data: readonly string[][];
  readonly errors: readonly { readonly row?: number }[];
  /** Where the first row begins that was not taken. */
  readonly meta: { readonly cursor: number };
}

/** Loads the CSV library. */
export async function loadCsvLibrary(): Promise<CsvLibrary> {
  return (await import("papaparse")).default as unknown as CsvLibrary;
}
