import type { FromSchema } from "json-schema-to-ts";
import completeness from "../../../data/completeness.json" with { type: "json" };
import { oldFromDays } from "../../contract/limits.ts";
import type { directorySchemas } from "../../contract/schema/directory-schemas.ts";
import type { BankRecord } from "../directory/record.ts";
import type { DatasetName } from "../files/datasets.ts";
import { daysBetween } from "./days.ts";
import { type DataEdition, editionsOf } from "./manifest.ts";

type BankData = FromSchema<typeof directorySchemas.bankData>;

/** The reported facts about the list of one country's banks, or about any other list in use. */
export type BankListFacts = BankData["lists"][number];
export type RegisterFacts = BankData["registers"][number];

/** Age of a list in days, null if its source names no first day, and whether it is old by `oldFromDays` or of unknown age. */
type ListAge = Pick<BankListFacts, "age_days" | "is_old">;

/** The list of one country's banks, as it is reported but for its age. */
export type BankList = Omit<BankListFacts, keyof ListAge>;

/** A register of BICs or the weights of a check, as it is reported but for its age and title. */
export interface RegisterList extends Omit<RegisterFacts, keyof ListAge | "title"> {
  readonly dataset: DatasetName;
}

/** The records of one edition that are used. */
interface UsedRecords {
  readonly edition: DataEdition;
  readonly records: readonly BankRecord[];
}

const completenessByCountry: Readonly<Record<string, string>> = completeness.countries;

/** Returns the age of an edition on a day: "2025-09" begins on the first of the month, "2019" on New Year's Day. */
export function ageOf(edition: string | null, today: string): ListAge {
  if (edition === null) return { age_days: null, is_old: true };
  const firstDay = edition + "-01-01".slice(edition.length === 4 ? 0 : edition.length === 7 ? 3 : 6);
  const days = daysBetween(firstDay, today);
  return { age_days: days, is_old: days >= oldFromDays };
}

/** Lists the countries of the records, in the order of their codes. */
export function bankListsOf(
  parts: readonly UsedRecords[],
  editions: readonly DataEdition[],
  day: string,
): BankList[] {
  return parts
    .flatMap((part) => listsOf(part, editions, day))
    .sort((a, b) => (a.country < b.country ? -1 : 1));
}

function listsOf(
  { edition, records }: UsedRecords,
  editions: readonly DataEdition[],
  day: string,
): BankList[] {
  const { dataset, validFrom, validUntil = null } = edition;
  const byCountry = new Map<
    string,
    { rows: number; withBic: number; editions: Map<string | null, number> }
  >();
  for (const record of records) {
    const { country, main, bic } = record;
    if (!main) continue;
    const counted = byCountry.get(country) ?? { rows: 0, withBic: 0, editions: new Map() };
    counted.rows++;
    if (bic !== null) counted.withBic++;
    const stated = record.origin?.name.edition ?? null;
    counted.editions.set(stated, (counted.editions.get(stated) ?? 0) + 1);
    byCountry.set(country, counted);
  }
  return [...byCountry].map(([country, { rows, withBic, editions: counts }]) => ({
    country,
    dataset,
    edition: dataset === "banks" ? commonest(counts) : validFrom,
    valid_until: validUntil,
    next_edition: nextEditionOf(edition, editions, day),
    rows,
    with_bic: withBic,
    completeness: completenessOf(country, dataset),
  }));
}

/** Returns the first day of the edition that follows another one after a day; null if there is none yet. */
export function nextEditionOf(
  { dataset, validFrom }: DataEdition,
  editions: readonly DataEdition[],
  day: string,
): string | null {
  const next = editionsOf(editions, dataset).find(
    (other) => other.validFrom > validFrom && other.validFrom > day,
  );
  return next?.validFrom ?? null;
}

/** A list that comes from the issuer of the bank codes is complete; of the others a table says it. */
function completenessOf(country: string, dataset: DatasetName): BankList["completeness"] {
  if (dataset !== "banks") return "complete";
  return (completenessByCountry[country] as BankList["completeness"]) ?? null;
}

function commonest(counts: ReadonlyMap<string | null, number>): string | null {
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
