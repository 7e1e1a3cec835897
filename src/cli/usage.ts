import { Command, InvalidArgumentError } from "commander";
import { readKeyFile } from "../keys/key-file.ts";
import { openUsageStore } from "../usage/usage-recorder.ts";
import { dayOf, figuresOf, periodsOf, type UsageStore } from "../usage/usage-store.ts";
import { CommandFailure } from "./exit-codes.ts";
import { columns, examples } from "./program.ts";
import { type StateOptions, stateFolder, stateSettings } from "./state-options.ts";

interface UsageOptions extends StateOptions {
  readonly month?: string;
  readonly json?: boolean;
}

export function usageCommand(): Command {
  return new Command("usage")
    .description("Print the checks counted for each key; days and months are in UTC.")
    .argument("[name]", "holder whose keys to print; default: all")
    .option("--month <month>", "month to print, as in 2026-11; default: this month", parseMonth)
    .option("--state-dir <folder>", "folder of the service's state; its setting STATE_DIR")
    .option("--usage-store <store>", "usage store of the service; its setting USAGE_STORE")
    .option("--json", "print a JSON array with an object for each key")
    .addHelpText("after", examples([], "usage", "usage anna --month 2026-11 --json"))
    .action(printUsage);
}

async function printUsage(name: string | undefined, options: UsageOptions): Promise<void> {
  const { stateDir, usageStore } = stateSettings(options);
  if (usageStore === "lmdb") stateFolder(options);
  const store = await openUsageStore(usageStore, stateDir);
  try {
    const usual = periodsOf(dayOf(Date.now()));
    const periods = options.month === undefined ? usual : usual.with(1, options.month);
    const holders = name === undefined ? await store.names() : [name];
    const rows = (await Promise.all(holders.map((holder) => rowsOf(store, holder, periods)))).flat();
    if (name !== undefined && rows.length === 0) {
      // A name without usage is known only if a key has it.
      const keys = (await readKeyFile(stateDir)) ?? [];
      const facts = "nothing is counted for it, and no stored key has it";
      if (keys.every((key) => key.name !== name))
        throw new CommandFailure(`There is no name ${JSON.stringify(name)}: ${facts}.`);
    }
    if (options.json) {
      process.stdout.write(`${JSON.stringify(rows.map((row) => ({ ...row, period: periods[1] })))}\n`);
      return;
    }
    const head = ["NAME", "KEY", ...periods.map((period) => period.toUpperCase())];
    const cells = rows.map((row) => Object.values(row).map(String));
    process.stdout.write(columns(head, cells));
  } finally {
    await store.close();
  }
}

async function rowsOf(store: UsageStore, name: string, periods: readonly string[]) {
  const counts = await store.read(name, periods);
  const keys = [...new Set(counts.map(({ key }) => key))].sort();
  return keys.map((id) => {
    const own = counts.filter(({ key }) => key === id);
    return { name, key: id, ...figuresOf(own, periods) };
  });
}

function parseMonth(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError("It must be a month, as in 2026-11.");
  return text;
}
