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
import { pruneEditions, withdrawEdition } from "../../banks/import/store.ts";
import { CommandFailure, exitCodes } from "../program.ts";
import type { DataPlace } from "./command.ts";
import { differenceLines } from "./import.ts";

/** What to compare, and how much of it to show. */
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
  throw unusable(`There is no edition ${validFrom}; the editions are: ${there}.`);
}

function unusable(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.unusable.code);
}

/** Removes old editions and says which. */
export async function prune({ importFolder, today }: DataPlace, keep: number): Promise<void> {
  const removed = await pruneEditions(importFolder, keep, today);
  for (const { dataset, validFrom } of removed) process.stdout.write(`removed ${dataset} ${validFrom}\n`);
  process.stdout.write(`${removed.length === 0 ? "Nothing to remove" : `${removed.length} removed`}.\n`);
}

/** How an edition is withdrawn. */
export interface WithdrawOptions {
  readonly dataset: string;
  readonly undo?: boolean;
}

/** Withdraws an edition, so that the one before it is used again, or takes that back. */
export async function withdraw(
  { importFolder }: DataPlace,
  day: string,
  { dataset, undo = false }: WithdrawOptions,
): Promise<void> {
  if (!isDatasetName(dataset)) {
    const names = Object.keys(datasets).join(", ");
    throw new CommandFailure(
      `Unknown dataset ${dataset}; the datasets are ${names}.`,
      exitCodes.unusable.code,
    );
  }
  if (!(await withdrawEdition(importFolder, dataset, day, !undo))) {
    const message = `The edition ${day} of ${dataset} cannot be ${undo ? "taken back" : "withdrawn"}: it was not imported, or it is the only one.`;
    throw new CommandFailure(message, exitCodes.unusable.code);
  }
  process.stdout.write(`The edition ${day} of ${dataset} ${undo ? "is used again" : "is withdrawn"}.\n`);
}
