import { datasets, isDatasetName } from "../../banks/files/datasets.ts";
import { pruneEditions, withdrawEdition } from "../../banks/import/store.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import type { DataPlace } from "./command.ts";

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
    throw new CommandFailure(`There is no data ${dataset}; there is ${names}.`, exitCodes.unusable.code);
  }
  if (!(await withdrawEdition(importFolder, dataset, day, !undo))) {
    const message = `The edition ${day} of ${dataset} cannot be ${undo ? "taken back" : "withdrawn"}: it was not imported, or it is the only one.`;
    throw new CommandFailure(message, exitCodes.unusable.code);
  }
  process.stdout.write(`The edition ${day} of ${dataset} ${undo ? "is used again" : "is withdrawn"}.\n`);
}
