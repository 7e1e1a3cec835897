import { type Dataset, type DatasetName, datasets } from "../files/datasets.ts";
import type { NormalRow } from "./normal-form.ts";

/** How often one field has changed, with the first few of its changes. */
export interface FieldChange {
  readonly count: number;
  readonly examples: readonly { readonly key: string; readonly before: string; readonly after: string }[];
}

/** Differences between two editions of a dataset. */
export interface Difference {
  /** Keys of the entries: bank codes, with the country outside Germany, or BICs. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** By column, in the order of the columns. */
  readonly changed: ReadonlyMap<string, FieldChange>;
  /** Keys of the entries with any change. */
  readonly changedKeys: readonly string[];
  /** Entries that the earlier edition had. */
  readonly before: number;
  readonly after: number;
  /** Further locations of German banks. */
  readonly locationsAdded: number;
  readonly locationsRemoved: number;
}

const maxExamples = 3;
/** The columns about the file, not about the bank. */
const passedOver: ReadonlySet<string> = new Set([
  "Merkmal",
  "Datensatznummer",
  "Änderungskennzeichen",
  "Quelle",
  "source",
  "edition",
]);
/** Columns that hold placeholders in a row without Datensatznummer: from what is unknown nothing changes. */
const unknownInShipped: ReadonlySet<string> = new Set([
  "PAN",
  "Bankleitzahllöschung",
  "Nachfolge-Bankleitzahl",
]);

/** Compares two editions of a dataset in their normal form; of German banks the main records, field by field. */
export function compareEditions(
  dataset: DatasetName,
  before: readonly NormalRow[],
  after: readonly NormalRow[],
): Difference {
  const { columns }: Dataset = datasets[dataset];
  const [old, fresh] = [entriesOf(dataset, before), entriesOf(dataset, after)];
  const fields = columns.map((name, place) => ({ name, place })).filter(({ name }) => !passedOver.has(name));
  const changes = new Map<string, { count: number; examples: FieldChange["examples"][number][] }>(
    fields.map(({ name }) => [name, { count: 0, examples: [] }]),
  );
  const changedKeys: string[] = [];
  for (const [key, row] of fresh) {
    const was = old.get(key);
    if (was === undefined) continue;
    const different = fields.filter(
      ({ name, place }) => was[place] !== row[place] && !isUnknown(dataset, name, was, row),
    );
    if (different.length > 0) changedKeys.push(key);
    for (const { name, place } of different) {
      const change = changes.get(name)!;
      change.count++;
      if (change.examples.length < maxExamples) {
        change.examples.push({ key, before: was[place]!, after: row[place]! });
      }
    }
  }
  return {
    added: [...fresh.keys()].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !fresh.has(key)),
    changed: new Map([...changes].filter(([, { count }]) => count > 0)),
    changedKeys,
    before: old.size,
    after: fresh.size,
    ...compareLocations(dataset, before, after),
  };
}

/** Returns the entries of an edition by their key; of German banks the main records. */
export function entriesOf(dataset: DatasetName, rows: readonly NormalRow[]): Map<string, NormalRow> {
  const { columns, key }: Dataset = datasets[dataset];
  const places = key.map((name) => columns.indexOf(name));
  const main = dataset === "blz" ? rows.filter((row) => row[1] === "1") : rows;
  return new Map(
    main.map((row) => [
      places
        .map((place) => row[place])
        .join(" ")
        .trimEnd(),
      row,
    ]),
  );
}

function isUnknown(dataset: DatasetName, name: string, before: NormalRow, after: NormalRow): boolean {
  const isShipped = dataset === "blz" && (before[9] === "" || after[9] === "");
  return isShipped && unknownInShipped.has(name);
}

function compareLocations(dataset: DatasetName, before: readonly NormalRow[], after: readonly NormalRow[]) {
  if (dataset !== "blz") return { locationsAdded: 0, locationsRemoved: 0 };
  const counts = new Map<string, number>();
  const count = (rows: readonly NormalRow[], step: number) => {
    for (const row of rows) {
      if (row[1] === "1") continue;
      const location = [row[0], row[2], row[3], row[4]].join(";");
      counts.set(location, (counts.get(location) ?? 0) + step);
    }
  };
  count(before, -1);
  count(after, 1);
  const left = [...counts.values()];
  return {
    locationsAdded: left.reduce((sum, step) => sum + Math.max(0, step), 0),
    locationsRemoved: left.reduce((sum, step) => sum + Math.max(0, -step), 0),
  };
}
