import {
  type DataEdition,
  editionOn,
  editionsOf,
  readEditionFile,
  readEditions,
} from "../../banks/editions/manifest.ts";
import { type DatasetName, datasets, isDatasetName } from "../../banks/files/datasets.ts";
import { compareEditions } from "../../banks/import/compare.ts";
import { readNormalForm } from "../../banks/import/normal-form.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import type { DataPlace } from "./command.ts";
import { differenceLines } from "./report.ts";

/** What is compared, and how much of it is shown. */
export interface DiffOptions {
  readonly dataset: string;
  readonly all?: boolean;
}

const shownKeys = 20;

/** Compares two editions of a dataset in the data folder. */
export async function diffEditions(
  { folder, today }: DataPlace,
  from: string | undefined,
  to: string | undefined,
  { dataset, all }: DiffOptions,
): Promise<void> {
  if (!isDatasetName(dataset)) throw unusable(`The datasets are ${Object.keys(datasets).join(", ")}.`);
  const editions = editionsOf(await readEditions(folder), dataset);
  const later = to === undefined ? editionOn(editions, dataset, today) : editionNamed(editions, to);
  const earlier = from === undefined ? editions[editions.indexOf(later!) - 1] : editionNamed(editions, from);
  if (later === undefined || earlier === undefined) {
    throw unusable(`There is no edition of ${dataset} before the one in use to compare with.`);
  }
  const rows = async (edition: DataEdition) =>
    readNormalForm(dataset as DatasetName, edition.file, await readEditionFile(folder, edition));
  const difference = compareEditions(dataset, await rows(earlier), await rows(later));
  process.stdout.write(`${dataset}: from the edition ${earlier.validFrom} to ${later.validFrom}\n`);
  const lines = differenceLines(difference, all === true ? Number.POSITIVE_INFINITY : shownKeys);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function editionNamed(editions: readonly DataEdition[], validFrom: string): DataEdition {
  const found = editions.find((edition) => edition.validFrom === validFrom);
  if (found !== undefined) return found;
  const there = editions.map((edition) => edition.validFrom).join(", ") || "none";
  throw unusable(`There is no edition ${validFrom}; there is ${there}.`);
}

function unusable(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.unusable.code);
}
