import { type DatasetName, datasets, isBankList } from "../files/datasets.ts";
import { bicOf, entriesOf, type NormalRow } from "./normal-form.ts";

type Change = Readonly<Record<"key" | "before" | "after", string>>;

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
    changed,
    changedKeys: [...fresh.keys()].filter((key) => changedKeys.has(key)),
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

const maxGone = 0.02;
const maxChanged = 0.05;
/** Names and BICs, as the datasets call them. */
const guardedColumns = ["Bezeichnung", "BIC", "name", "bic"];
/** Codes that one name may be given to by mistake, and BICs that show them to be different banks. */
const minCodes = 3;

/** Returns why a file may be a wrong one: too much is gone or different, or different banks now have one name. */
export function suspicionOf(
  dataset: DatasetName,
  { before, removed, changed }: Difference,
  rows: readonly NormalRow[],
): string | undefined {
  const beyond = (count: number, max: number, what: string) =>
    count > before * max
      ? `${count} of the ${before} entries of the edition before ${what}, more than ${max * 100} %`
      : undefined;
  const reasons = guardedColumns.map((column) =>
    beyond(changed.get(column)?.length ?? 0, maxChanged, `differ in ${column}`),
  );
  return (
    beyond(removed.length, maxGone, "are gone") ??
    reasons.find((reason) => reason !== undefined) ??
    sharedName(dataset, changed.get("Bezeichnung") ?? changed.get("name") ?? [], rows)
  );
}

/** Finds a name that codes of different banks, by their BICs, have now and did not have before. Banks that merged have one BIC. */
function sharedName(dataset: DatasetName, renamed: readonly Change[], rows: readonly NormalRow[]) {
  if (!isBankList(dataset)) return undefined;
  const entries = entriesOf(dataset, rows);
  const byName = new Map<string, Change[]>(renamed.map(({ after }) => [after, []]));
  for (const change of renamed) byName.get(change.after)!.push(change);
  for (const [name, changes] of byName) {
    const bics = changes.map(({ key }) => bicOf(dataset, entries.get(key)!).slice(0, 8));
    const isOfDifferent = [bics, changes.map(({ before }) => before)].every(
      (texts) => new Set(texts.filter((text) => text !== "")).size >= minCodes,
    );
    if (isOfDifferent) {
      const codes = changes.map((change) => change.key).join(", ");
      return `${changes.length} bank codes of different banks now have the name ${JSON.stringify(name)}: ${codes}`;
    }
  }
  return undefined;
}
