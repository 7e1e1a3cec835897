import { type DatasetName, datasets } from "../files/datasets.ts";
import { entriesOf, type NormalRow } from "./normal-form.ts";

export interface Change {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

export type Difference = ReturnType<typeof compareEditions>;

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
) {
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
  return {
    /** Keys of the entries: bank codes, with the country outside Germany, or BICs. */
    added: [...fresh.keys()].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !fresh.has(key)),
    /** By column, in the order of the columns. */
    changed: changed as ReadonlyMap<string, readonly Change[]>,
    changedKeys: [...fresh.keys()].filter((key) => changedKeys.has(key)),
    /** How many entries there are. */
    before: old.size,
    after: fresh.size,
    ...(dataset === "blz" ? compareLocations(before, after) : { locationsAdded: 0, locationsRemoved: 0 }),
  };
}

/** Counts the further locations of German banks that one edition does not have, or not as often as the other. */
function compareLocations(before: readonly NormalRow[], after: readonly NormalRow[]) {
  const more = new Map<string, number>();
  for (const rows of [before, after]) {
    for (const [blz, merkmal, name, zip, town] of rows) {
      const location = [blz, name, zip, town].join(";");
      if (merkmal !== "1") more.set(location, (more.get(location) ?? 0) + (rows === after ? 1 : -1));
    }
  }
  const sum = (sign: number) => [...more.values()].reduce((all, count) => all + Math.max(0, sign * count), 0);
  return { locationsAdded: sum(1), locationsRemoved: sum(-1) };
}
