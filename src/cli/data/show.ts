import { fullBic } from "../../banking/bic.ts";
import { ibanCountryByCode } from "../../banking/iban/registry.ts";
import { readEditions, readOverrides } from "../../banks/editions/data-folder.ts";
import { ageOf } from "../../banks/editions/live-edition.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import { type DataEdition, editionInUse, editionsOf } from "../../banks/editions/manifest.ts";
import { type DatasetName, datasetNames, datasets, isDatasetName } from "../../banks/files/datasets.ts";
import { keyOf } from "../../banks/files/overrides-csv.ts";
import { compareEditions } from "../../banks/import/compare.ts";
import { bicOf, entriesOf, rowsOfEdition } from "../../banks/import/normal-form.ts";
import { pruneEditions, withdrawEdition } from "../../banks/import/store.ts";
import { bankSearch } from "../../banks/search/bank-search.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { columns } from "../program.ts";
import { type DataContext, differenceLines } from "./import.ts";

const maxShown = 20;

/** Shows all entries of a bank code or BIC in the editions in use. */
export async function lookUp({ folder, today }: DataContext, code: string): Promise<void> {
  const wanted = code
    .replace(/\s+/g, "")
    .toUpperCase()
    .replace(/^DE(?=\d{8}$)/, "");
  const editions = await readEditions(folder);
  let found = 0;
  for (const dataset of datasetNames) {
    const { edition } = editionInUse(editions, dataset, today);
    if (edition === undefined) continue;
    const rows = await rowsOfEdition(folder, edition);
    const hits = [...entriesOf(dataset, rows)].filter(
      ([key, row]) => key.replaceAll(" ", "") === wanted || isSameBic(bicOf(dataset, row), wanted),
    );
    found += hits.length;
    const { columns: names, title } = datasets[dataset];
    for (const [, row] of hits.slice(0, maxShown))
      show(title, edition.validFrom, Object.fromEntries(names.map((name, column) => [name, row[column]!])));
    if (hits.length > maxShown) process.stdout.write(`and ${hits.length - maxShown} more\n`);
  }
  for (const entry of await readOverrides(folder)) {
    const { country, bankCode, name, bic, schemes, validUntil } = entry;
    const key = keyOf(entry).replace(/^DE /, "").replaceAll(" ", "");
    if (key !== wanted && !isSameBic(bic, wanted)) continue;
    found++;
    const facts = { country, bank_code: bankCode, name, bic, schemes };
    show("local entry", validUntil && `until ${validUntil}`, facts);
  }
  if (found === 0) throw new CommandFailure(`Nothing is known about ${code}.`, exitCodes.notValid.code);
}

function show(title: string, day: string, facts: Readonly<Record<string, string>>): void {
  const cells = Object.entries(facts).filter(([, value]) => value !== "");
  process.stdout.write(`${columns([title, day], cells)}\n`);
}

/** A BIC of 8 characters is that of the head office, written with XXX or without. */
function isSameBic(bic: string, wanted: string): boolean {
  return bic !== "" && fullBic(bic) === fullBic(wanted);
}

export async function search(
  { folder, today }: DataContext,
  name: string,
  { country, location = "", max }: { country: string; location?: string; max: number },
): Promise<void> {
  const { directory } = await loadBankData(folder, today);
  const query = { name, max, countries: countriesOf(country), location };
  const { total, records } = bankSearch(directory)(query);
  if (total === 0)
    throw new CommandFailure(`No bank was found for ${JSON.stringify(name)}.`, exitCodes.notValid.code);
  const rows = [...records].map((index) => {
    const bank = directory.record(index);
    const { bankCode, bic, zip, location: town, method } = bank;
    return [bank.country, bankCode, bic ?? "", bank.name, zip, town, method ?? ""];
  });
  process.stdout.write(columns(["COUNTRY", "CODE", "BIC", "NAME", "ZIP", "TOWN", "METHOD"], rows));
  if (total > rows.length) process.stdout.write(`${rows.length} of ${total}\n`);
}

function countriesOf(given: string): readonly string[] | "*" {
  const codes = given.toUpperCase().replace(/\s/g, "");
  if (codes === "*") return codes;
  const countries = codes.split(",");
  const unknown = countries.find((code) => ibanCountryByCode(code) === undefined);
  if (unknown === undefined) return countries;
  throw new CommandFailure(
    `${JSON.stringify(unknown)} is not a country of the IBAN registry; --country takes ISO codes separated by commas, as in AT,CH, or *.`,
  );
}

export async function stats({ folder, today }: DataContext): Promise<void> {
  const editions = await readEditions(folder);
  const rows: string[][] = [];
  for (const dataset of datasetNames) {
    const { title } = datasets[dataset];
    const { edition: inUse } = editionInUse(editions, dataset, today);
    for (const edition of editions.filter((one) => one.dataset === dataset).sort(byFirstDay)) {
      const normal = await rowsOfEdition(folder, edition);
      const { validFrom, validUntil = "", source = "shipped" } = edition;
      const begun = edition === inUse ? "in use" : validFrom > today ? "to come" : "past";
      const state = edition.withdrawn === true ? "withdrawn" : begun;
      const entries = entriesOf(dataset, normal).size;
      rows.push([title, validFrom, validUntil, state, String(normal.length), String(entries), source]);
    }
  }
  const lists = (await loadBankData(folder, today)).lists.map((list) => {
    const { country, dataset, edition, next_edition, rows: codes, with_bic, completeness } = list;
    const { age_days: days, is_old } = ageOf(edition, today);
    const age = days === null ? "unknown" : `${days} ${days === 1 ? "day" : "days"}${is_old ? ", old" : ""}`;
    const cells = [country, edition ?? "undated", age, next_edition, codes, with_bic, completeness, dataset];
    return cells.map((cell) => String(cell ?? ""));
  });
  process.stdout.write(`${folder}, ${today}\n`);
  process.stdout.write(columns(["DATA", "VALID FROM", "UNTIL", "STATE", "ROWS", "ENTRIES", "SOURCE"], rows));
  process.stdout.write("\n");
  const heading = ["COUNTRY", "EDITION", "AGE", "NEXT", "CODES", "WITH BIC", "COMPLETENESS", "DATA"];
  process.stdout.write(columns(heading, lists));
}

function byFirstDay(one: DataEdition, other: DataEdition): number {
  return one.validFrom < other.validFrom ? -1 : 1;
}

const shownKeys = 20;

export async function diffEditions(
  { folder, today }: DataContext,
  from: string | undefined,
  to: string | undefined,
  { dataset, all }: { dataset: string; all?: boolean },
): Promise<void> {
  const name = datasetNamed(dataset);
  const editions = editionsOf(await readEditions(folder), name);
  const later = to === undefined ? editionInUse(editions, name, today).edition : editionNamed(editions, to);
  const earlier = from === undefined ? editions[editions.indexOf(later!) - 1] : editionNamed(editions, from);
  if (later === undefined || earlier === undefined) {
    throw new CommandFailure(`There is no edition of ${dataset} before the one in use to compare with.`);
  }
  const [before, after] = [await rowsOfEdition(folder, earlier), await rowsOfEdition(folder, later)];
  const difference = compareEditions(name, before, after);
  process.stdout.write(`${dataset}: from the edition ${earlier.validFrom} to ${later.validFrom}\n`);
  const lines = differenceLines(difference, all === true ? Number.POSITIVE_INFINITY : shownKeys);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function datasetNamed(name: string): DatasetName {
  if (isDatasetName(name)) return name;
  throw new CommandFailure(`Unknown dataset ${name}; the datasets are ${datasetNames.join(", ")}.`);
}

function editionNamed(editions: readonly DataEdition[], validFrom: string): DataEdition {
  const found = editions.find((edition) => edition.validFrom === validFrom);
  if (found !== undefined) return found;
  const there = editions.map((edition) => edition.validFrom).join(", ") || "none";
  throw new CommandFailure(`There is no edition ${validFrom}; the editions are: ${there}.`);
}

export async function prune({ importFolder, today }: DataContext, keep: number): Promise<void> {
  const removed = await pruneEditions(importFolder, keep, today);
  for (const { dataset, validFrom } of removed) process.stdout.write(`removed ${dataset} ${validFrom}\n`);
  process.stdout.write(`${removed.length === 0 ? "Nothing to remove" : `${removed.length} removed`}.\n`);
}

/** Withdraws an edition, so that the previous one is used again, or reverts that. */
export async function withdraw(
  { importFolder }: DataContext,
  day: string,
  { dataset, undo = false }: { dataset: string; undo?: boolean },
): Promise<void> {
  if (!(await withdrawEdition(importFolder, datasetNamed(dataset), day, !undo))) {
    const reason = undo
      ? "is not withdrawn"
      : "cannot be withdrawn: it was not imported, or it is the only one";
    throw new CommandFailure(`The edition ${day} of ${dataset} ${reason}.`);
  }
  process.stdout.write(`The edition ${day} of ${dataset} ${undo ? "is used again" : "is withdrawn"}.\n`);
}
