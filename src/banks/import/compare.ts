import { type DatasetName, datasets } from "../files/datasets.ts";
import { entriesOf, type NormalRow } from "./normal-form.ts";

export interface Change {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

export interface Difference {
  /** Keys of the entries: bank codes, with the country outside Germany, or BICs. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** By column, in the order of the columns. */
  readonly changed: ReadonlyMap<string, readonly Change[]>;
  readonly changedKeys: readonly string[];
  /** Entries that the earlier edition had. */
  readonly before: number;
  readonly after: number;
  /** Further locations of German banks. */
  readonly locationsAdded: number;
  readonly locationsRemoved: number;
}

/** The columns about the file, not about the bank. */
const passedOver: ReadonlySet<string> = new Set([
  ...["Merkmal", "Datensatznummer", "Änderungskennzeichen", "Quelle"],
  ...["source", "edition"],
]);
/** Columns that hold placeholders in a row without Datensatznummer: from what is unknown nothing changes. */
const unknownInShipped: readonly string[] = ["PAN", "Bankleitzahllöschung", "Nachfolge-Bankleitzahl"];

/** Compares two editions of a dataset in their normal form; of German banks the main records, field by field. */
export function compareEditions(
  dataset: DatasetName,
  before: readonly NormalRow[],
  after: readonly NormalRow[],
): Difference {
  const [old, fresh] = [entriesOf(dataset, before), entriesOf(dataset, after)];
  const changed = new Map<string, readonly Change[]>();
  for (const [place, column] of datasets[dataset].columns.entries()) {
    if (passedOver.has(column)) continue;
    const changes = [...fresh].flatMap(([key, row]): Change[] => {
      const was = old.get(key);
      if (was === undefined || was[place] === row[place]) return [];
      if (unknownInShipped.includes(column) && (was[9] === "" || row[9] === "")) return [];
      return [{ key, before: was[place]!, after: row[place]! }];
    });
    if (changes.length > 0) changed.set(column, changes);
  }
  const changedKeys = new Set([...changed.values()].flat().map(({ key }) => key));
  const locations = [before, after].map((rows) => (dataset === "blz" ? furtherLocations(rows) : []));
  return {
    added: [...fresh.keys()].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !fresh.has(key)),
    changed,
    changedKeys: [...fresh.keys()].filter((key) => changedKeys.has(key)),
    before: old.size,
    after: fresh.size,
    locationsAdded: countBeyond(locations[1]!, locations[0]!),
    locationsRemoved: countBeyond(locations[0]!, locations[1]!),
  };
}

function furtherLocations(rows: readonly NormalRow[]): string[] {
  return rows.filter((row) => row[1] !== "1").map((row) => [row[0], row[2], row[3], row[4]].join(";"));
}

/** Counts the texts that others do not have, or not as often. */
function countBeyond(texts: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  for (const text of texts) left.set(text, (left.get(text) ?? 0) - 1);
  return [...left.values()].reduce((sum, count) => sum + Math.max(0, -count), 0);
}
