import type { FromSchema } from "json-schema-to-ts";
import completeness from "../../../data/completeness.json" with { type: "json" };
import { oldFromDays } from "../../contract/limits.ts";
import type { directorySchemas } from "../../contract/schema/directory-schemas.ts";
import type { BankRecord } from "../directory/record.ts";
import type { ListedBank } from "../files/banks-csv.ts";
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
  readonly records: readonly (BankRecord | ListedBank)[];
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
  const byCountry = new Map<string, { rows: number; withBic: number; editions: Map<string, number> }>();
  for (const record of records) {
    const { country, main, bic } = record;
    if (!main) continue;
    const sourceEdition = "sourceEdition" in record ? record.sourceEdition : validFrom;
    const counted = byCountry.get(country) ?? { rows: 0, withBic: 0, editions: new Map() };
    counted.rows++;
    if (bic !== null) counted.withBic++;
    counted.editions.set(sourceEdition, (counted.editions.get(sourceEdition) ?? 0) + 1);
    byCountry.set(country, counted);
  }
  return [...byCountry].map(([country, { rows, withBic, editions: counts }]) => ({
    country,
    dataset,
    edition: dataset === "banks" ? dayOf(commonest(counts)) : validFrom,
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

/** Reads the day out of an edition as the rows name it: "2025.09.0" is September 2025, "2.2" is not a day. */
function dayOf(edition: string): string | null {
  return /^\d{4}([-.]\d\d)?([-.]\d\d)?(?!\d)/.exec(edition)?.[0].replaceAll(".", "-") ?? null;
}

function commonest(counts: ReadonlyMap<string, number>): string {
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
