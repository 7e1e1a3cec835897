import { ageOf } from "../../banks/editions/bank-lists.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import { type DataEdition, editionOn, readEditionFile, readEditions } from "../../banks/editions/manifest.ts";
import { type DatasetName, datasets } from "../../banks/files/datasets.ts";
import { entriesOf } from "../../banks/import/compare.ts";
import { readNormalForm } from "../../banks/import/normal-form.ts";
import { columns } from "../program.ts";
import type { DataPlace } from "./command.ts";

/** Lists what a data folder holds. */
export async function stats({ folder, today }: DataPlace): Promise<void> {
  const editions = await readEditions(folder);
  const rows: string[][] = [];
  for (const [dataset, { title }] of Object.entries(datasets) as [DatasetName, { title: string }][]) {
    const inUse = editionOn(editions, dataset, today);
    for (const edition of editions.filter((one) => one.dataset === dataset).sort(byFirstDay)) {
      const normal = readNormalForm(dataset, edition.file, await readEditionFile(folder, edition));
      const { validFrom, validUntil = "", source = "shipped" } = edition;
      const begun = edition === inUse ? "in use" : validFrom > today ? "to come" : "past";
      const state = edition.withdrawn === true ? "withdrawn" : begun;
      const entries = entriesOf(dataset, normal).size;
      rows.push([title, validFrom, validUntil, state, String(normal.length), String(entries), source]);
    }
  }
  const lists = (await loadBankData(folder, today)).lists.map((list) => {
    const { country, dataset, edition, nextEdition, rows: codes, withBic, completeness } = list;
    const { days, isOld } = ageOf(edition, today);
    const told = days === null ? "unknown" : `${days} days${isOld ? ", old" : ""}`;
    return [
      country,
      edition ?? "undated",
      told,
      nextEdition ?? "",
      String(codes),
      String(withBic),
      completeness ?? "",
      dataset,
    ];
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
