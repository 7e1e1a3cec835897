import { join } from "node:path";
import completeness from "../../../data/completeness.json" with { type: "json" };
import type * as Api from "../../contract/api-types.ts";
import { unlessAbsent } from "../../process/files.ts";
import { buildDirectory } from "../directory/build.ts";
import { BankDirectory } from "../directory/directory.ts";
import type { BankRecord } from "../directory/record.ts";
import { DataFileError, readDataFile } from "../files/data-file.ts";
import { countriesOf, type DatasetName, datasetNames, datasets, isBankList } from "../files/datasets.ts";
import { isExpired, withLocalEntries } from "../files/overrides-csv.ts";
import { joinRegisters, joinSepaFlags } from "../files/register-csv.ts";
import {
  bankBicsFile,
  formerCodesFile,
  readBankBicsCsv,
  readFormerCodesCsv,
  withShippedFacts,
} from "../files/shipped-facts.ts";
import { packWeights } from "../lookup/account-policy.ts";
import { bicRegister } from "../lookup/bics.ts";
import { indexBanks } from "../search/search-index.ts";
import {
  readEditionFile,
  readEditions,
  readOverrides,
  sha256,
  shippedData,
  shippedEditions,
} from "./data-folder.ts";
import { writeEdition } from "./edition-file.ts";
import { type DataEdition, editionInUse, editionsOf, isRequired } from "./manifest.ts";

export interface LoadInput {
  readonly dataFolder: string;
  /** The day for which an edition is wanted, where the folder holds several. */
  readonly day: string;
  readonly room: Uint8Array;
}

/** An edition that is used, the first day of the one after it, and what is in it. */
interface UsedEdition<Name extends DatasetName> {
  readonly edition: DataEdition;
  readonly next: string | null;
  readonly rows: ReturnType<(typeof datasets)[Name]["read"]>;
}

/**
 * Reads the bank data of a folder and writes the edition of a day, ready for use, to the room given; some 0.5 s and, for
 * that time, a hundred megabytes. Throws as `loadBankData`, and a RangeError where the edition does not fit.
 */
export async function loadEdition({ dataFolder, day, room }: LoadInput) {
  const { directory, register, modulus, ...facts } = await loadBankData(dataFolder, day);
  const bytes = writeEdition(room, {
    directory: directory.parts,
    search: indexBanks(directory),
    register: bicRegister(register),
    modulus: packWeights(modulus),
  });
  const { edition, size: recordCount } = directory;
  const { blzCount } = directory.parts;
  return { bytes, edition, blzCount, recordCount, ...facts };
}

export type LoadedEdition = Awaited<ReturnType<typeof loadEdition>>;

/**
 * Reads the bank data of a folder and builds the directory of a day, from the latest edition of each dataset that has begun;
 * some 0.3 s and, once done, 7 MB.
 *
 * @param day in Berlin, like `2026-09-07`.
 * @throws {DataFileError} with file, line and reason for the first damaged row; the system's error where a file cannot
 *   be read.
 */
export async function loadBankData(folder: string, day: string) {
  const own = await readEditions(folder);
  // The shipped weights of the UK modulus check are used where a folder has none.
  const weightsToAdd = (await shippedEditions()).filter(
    ({ dataset }) => isOfModulus(dataset) && editionsOf(own, dataset).length === 0,
  );
  const editions = [...own, ...weightsToAdd];
  const local = (await readOverrides(folder)).filter((entry) => !isExpired(entry, day));
  const localEnds = local.map(({ validUntil }) => validUntil).filter((last) => last !== "");
  const digests: string[] = [];
  const changes: string[] = [];
  const used: { readonly [Name in DatasetName]?: UsedEdition<Name> } = {};
  /** First days of the lists of countries, by country. */
  const listed: Record<string, string> = {};
  for (const dataset of datasetNames) {
    const { edition, next } = editionInUse(editions, dataset, day);
    if (next !== null) changes.push(next);
    if (edition === undefined) {
      if (!isRequired(dataset)) continue;
      throw new DataFileError("manifest.json", 1, `it lists no edition of ${dataset}`);
    }
    if (dataset === "uk-substitutions" && used["uk-weights"] === undefined) continue;
    const reading = readEditionFile(folder, edition);
    // A shipped file of weights may be deleted, which switches its check off; an imported one may not.
    const content = await (isOfModulus(dataset) ? unlessAbsent(reading) : reading);
    if (content === undefined) continue;
    digests.push(edition.sha256 ?? sha256(content));
    const rows = datasets[dataset].read(edition.file, content);
    Object.assign(used, { [dataset]: { edition, next, rows } });
    for (const country of countriesOf(dataset)) listed[country] = edition.validFrom;
  }
  const isBanks = ({ edition }: UsedEdition<DatasetName>) => isBankList(edition.dataset);
  const banks = Object.values(used).filter(isBanks) as UsedEdition<"banks">[];
  const { scl: clearing, "uk-weights": weights, "uk-substitutions": substitutes } = used;
  const [german, other] = [used.blz!.edition, used.banks!.edition];
  const otherBics = await shippedFacts(bankBicsFile, readBankBicsCsv);
  const successors = await shippedFacts(formerCodesFile, readFormerCodesCsv);
  const parts = banks.map((list) => {
    // The list of a country's issuer states all its BICs; that of the Bundesbank has one for each code.
    if (countriesOf(list.edition.dataset).length > 0) return list;
    const rows = list.rows.filter(({ country }) => listed[country] === undefined);
    return { ...list, rows: rows.map((record) => withShippedFacts(record, otherBics, successors)) };
  });
  const records = withLocalEntries(
    parts.flatMap(({ rows }) => rows),
    local,
    { list: "blz", edition: german.validFrom },
  );
  const built = buildDirectory(clearing === undefined ? records : joinSepaFlags(records, clearing.rows), {
    german: german.validFrom,
    other: other.validFrom,
    ...(clearing === undefined ? {} : { scl: clearing.edition.validFrom }),
    ...(Object.keys(listed).length === 0 ? {} : { lists: listed }),
  });
  const withdrawn = editions.filter((edition) => edition.withdrawn && isRequired(edition.dataset));
  return {
    directory: new BankDirectory(built),
    lists: parts.flatMap(bankListsOf).sort((a, b) => (a.country < b.country ? -1 : 1)),
    register: joinRegisters(clearing?.rows ?? [], used),
    /** The UK modulus check; undefined if the weights are missing. */
    modulus: weights && {
      edition: weights.edition.validFrom,
      table: { ranges: weights.rows, substitutes: Object.fromEntries(substitutes?.rows ?? []) },
    },
    /** Lists that are not the bank list of a country. */
    registers: Object.values(used)
      .filter((list) => !isBanks(list))
      .map(({ edition: { dataset, validFrom: edition }, next: next_edition, rows }) => {
        return { dataset, edition, next_edition, rows: rows.length };
      }),
    /** Digests of the files, and the local entries. */
    files: [...digests, ...local.map((entry) => JSON.stringify(entry))],
    /** Last day before a local entry expires. */
    localUntil: localEnds.sort()[0] ?? null,
    /** First days of the editions of required datasets that an operator has withdrawn. */
    withdrawn: withdrawn.map(({ validFrom }) => validFrom),
    /** First day on which another edition of the folder is used. */
    nextChange: changes.sort()[0] ?? null,
    /** Whether an operator has accepted that it is much smaller than the previous one. */
    isForced: parts.some(({ edition }) => edition.forced),
    /** Last day on which the German bank codes are valid, where their source names it. */
    validUntil: german.validUntil ?? null,
  };
}

/** Reads a file of shipped facts, which may be deleted. */
async function shippedFacts<Facts>(
  file: string,
  read: (file: string, content: Uint8Array) => Map<string, Facts>,
): Promise<Map<string, Facts>> {
  const content = await unlessAbsent(readDataFile(join(shippedData, file)));
  return content === undefined ? new Map() : read(file, content);
}

function isOfModulus(dataset: DatasetName): boolean {
  return dataset.startsWith("uk-");
}

const completenessByCountry = completeness.countries as Readonly<
  Record<string, NonNullable<Api.BankList["completeness"]>>
>;

function bankListsOf({ edition, next, rows }: UsedEdition<"banks">) {
  const { dataset, validFrom, validUntil = null } = edition;
  const byCountry = new Map<string, BankRecord[]>();
  for (const record of rows) {
    const banks = byCountry.get(record.country) ?? [];
    if (record.main) banks.push(record);
    byCountry.set(record.country, banks);
  }
  return [...byCountry].map(([country, banks]) => ({
    country,
    dataset,
    edition: dataset === "banks" ? commonest(banks.map(({ origin }) => origin!.name.edition)) : validFrom,
    valid_until: validUntil,
    next_edition: next,
    rows: banks.length,
    with_bic: banks.filter(({ bic }) => bic !== null).length,
    // A list that comes from the issuer of the bank codes is complete.
    completeness: dataset === "banks" ? (completenessByCountry[country] ?? null) : "complete",
  }));
}

function commonest<Value>(values: readonly Value[]): Value {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
