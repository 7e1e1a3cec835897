import { editionOn, readEditionFile, readEditions } from "../../banks/editions/manifest.ts";
import { type DatasetName, datasets } from "../../banks/files/datasets.ts";
import { entriesOf } from "../../banks/import/compare.ts";
import { type NormalRow, readNormalForm } from "../../banks/import/normal-form.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure, columns } from "../program.ts";
import type { DataPlace } from "./command.ts";

const maxShown = 20;

/** Shows all entries of a bank code or BIC in the editions in use. */
export async function lookUp({ folder, today }: DataPlace, code: string): Promise<void> {
  const wanted = code.replace(/\s+/g, "").toUpperCase();
  const editions = await readEditions(folder);
  let found = 0;
  for (const dataset of Object.keys(datasets) as DatasetName[]) {
    const edition = editionOn(editions, dataset, today);
    if (edition === undefined) continue;
    const rows = readNormalForm(dataset, edition.file, await readEditionFile(folder, edition));
    const hits = [...entriesOf(dataset, rows)].filter(
      ([key, row]) => key.replaceAll(" ", "") === wanted || hasBic(dataset, row, wanted),
    );
    found += hits.length;
    for (const [, row] of hits.slice(0, maxShown)) show(dataset, edition.validFrom, row);
    if (hits.length > maxShown) process.stdout.write(`and ${hits.length - maxShown} more\n`);
  }
  if (found === 0) throw new CommandFailure(`Nothing is known about ${code}.`, exitCodes.notValid.code);
}

function show(dataset: DatasetName, validFrom: string, row: NormalRow): void {
  const { columns: names, title } = datasets[dataset];
  const cells = names.map((name, place) => [name, row[place]!]).filter(([, value]) => value !== "");
  process.stdout.write(columns([title, validFrom], cells as string[][]));
  process.stdout.write("\n");
}

/** A BIC of 8 characters is that of the head office, written with XXX or without. */
function hasBic(dataset: DatasetName, row: NormalRow, wanted: string): boolean {
  const place = (datasets[dataset].columns as readonly string[]).findIndex((name) => /^bic$/i.test(name));
  const bic = row[place]!;
  return bic !== "" && bic.padEnd(11, "X") === wanted.padEnd(11, "X");
}
