import { writeSync } from "node:fs";
import { Command, Option } from "commander";
import {
  createKey,
  idOf,
  isValidAt,
  limitKeys,
  type MadeKey,
  revokeKeys,
  rotateKeys,
} from "../keys/key-changes.ts";
import { holderName, readKeyFile, type StoredKey } from "../keys/key-file.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import { limitsText, orNone, parseLimit, parseMoment, parseRate, parseSpan } from "./key-options.ts";
import { columns, examples } from "./program.ts";
import { type StateOptions, stateFolder } from "./state-options.ts";

interface CommonOptions extends StateOptions {
  readonly json?: boolean;
}

export function keysCommand(): Command {
  const command = new Command("keys").description(
    "Administer the stored API keys; a running service follows within a second.",
  );
  command
    .command("create <name>")
    .description("Create a key for a holder and print it once; a holder may have several.")
    .option("--expires <when>", "when it expires, as in 2027-12-31, or 90d from now", parseMoment)
    .option("--max-concurrent <requests>", "maximum number of requests in progress", parseLimit)
    .option("--rate <checks/s>", "maximum number of checks per second, as in 1000/s", parseRate)
    .action(create);
  command.command("list").description("List the stored keys; only their digests are kept.").action(list);
  command
    .command("limit <id-or-name>")
    .description("Change the limits of a key by its id, or of all keys of a holder; none removes a limit.")
    .option("--max-concurrent <requests>", "maximum number of requests in progress", orNone(parseLimit))
    .option("--rate <checks/s>", "maximum number of checks per second, as in 1000/s", orNone(parseRate))
    .action(limit);
  command
    .command("revoke <id-or-name>")
    .description("Revoke a key by its id, or all keys of a holder, at once.")
    .action(revoke);
  command
    .command("rotate <id-or-name>")
    .description("Replace a key by its id, or all keys of a holder, with a new one, and print it once.")
    .addOption(
      new Option("--grace <span>", "how long the old keys stay valid, as in 30m, 12h or 7d")
        .argParser(parseSpan)
        .default(parseSpan("1d"), "1d"),
    )
    .option("--expires <when>", "when the new key expires; default: when the old one does", parseMoment)
    .action(rotate);
  for (const each of command.commands) {
    each
      .option("--state-dir <folder>", "folder of the service's state; its setting STATE_DIR")
      .option("--json", "print JSON, errors too");
  }
  return command.addHelpText(
    "after",
    examples([], "keys create anna --expires 90d", "keys list --json", "keys rotate anna --grace 7d"),
  );
}

interface KeyOptions<Limit> extends CommonOptions {
  readonly expires?: Date;
  readonly maxConcurrent?: Limit;
  readonly rate?: Limit;
}

async function create(name: string, options: KeyOptions<number>): Promise<void> {
  if (!holderName.test(name)) {
    throw new CommandFailure("A name must be 1 to 64 letters, digits, dots, dashes or underscores.");
  }
  const { expires, maxConcurrent, rate: maxPerSecond } = options;
  // The first key may be made before the service was ever started.
  const stateDir = stateFolder(options, true);
  const made = await createKey(stateDir, name, new Date(), expires, { maxConcurrent, maxPerSecond });
  await print(made, stateDir, options);
}

async function list(options: CommonOptions): Promise<void> {
  const now = new Date();
  const keys = (await readKeyFile(stateFolder(options))) ?? [];
  if (options.json) {
    const facts = keys.map((key) => ({ ...factsOf(key), valid: isValidAt(key, now) }));
    process.stdout.write(`${JSON.stringify(facts)}\n`);
    return;
  }
  const rows = keys.map((key) => [
    idOf(key),
    key.name,
    key.created,
    key.expires ?? "never",
    isValidAt(key, now) ? "valid" : "expired",
    limitsText(key),
  ]);
  process.stdout.write(columns(["ID", "NAME", "CREATED", "EXPIRES", "STATE", "LIMITS"], rows));
}

function factsOf(key: StoredKey) {
  const { name, created, expires = null, maxConcurrent = null, maxPerSecond = null } = key;
  return { id: idOf(key), name, created, expires, max_concurrent: maxConcurrent, rate: maxPerSecond };
}

async function limit(idOrName: string, options: KeyOptions<number | "none">): Promise<void> {
  const { maxConcurrent, rate } = options;
  if (maxConcurrent === undefined && rate === undefined) {
    throw new CommandFailure("Name a limit: --max-concurrent 8, --rate 1000/s, or none for either.");
  }
  const limits = {
    ...(maxConcurrent && { maxConcurrent: maxConcurrent === "none" ? undefined : maxConcurrent }),
    ...(rate && { maxPerSecond: rate === "none" ? undefined : rate }),
  };
  const limited = await limitKeys(stateFolder(options), idOrName, limits);
  const sentence = (key: StoredKey) => `Limits of the key ${idOf(key)} of ${key.name}: ${limitsText(key)}.`;
  printChanged(limited, idOrName, options, sentence);
}

async function revoke(idOrName: string, options: CommonOptions): Promise<void> {
  const revoked = await revokeKeys(stateFolder(options), idOrName);
  printChanged(revoked, idOrName, options, (key) => `The key ${idOf(key)} of ${key.name} is revoked.`);
}

function printChanged(
  changed: readonly StoredKey[],
  idOrName: string,
  { json }: CommonOptions,
  sentence: (key: StoredKey) => string,
): void {
  if (changed.length === 0) throw unknown(idOrName);
  const lines = json ? [JSON.stringify(changed.map(factsOf))] : changed.map(sentence);
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function rotate(
  idOrName: string,
  options: CommonOptions & { readonly grace: number; readonly expires?: Date },
): Promise<void> {
  const stateDir = stateFolder(options);
  const made = await rotateKeys(stateDir, idOrName, new Date(), options.grace, options.expires);
  if (made === undefined) throw unknown(idOrName);
  await print(made, stateDir, options);
}

/**
 * Prints a key alone on standard output, so that a script can read it there. It is printed once, so a key that cannot be
 * printed is revoked.
 */
async function print({ key, stored }: MadeKey, stateDir: string, { json }: CommonOptions): Promise<void> {
  const end = stored.expires === undefined ? "" : ` It expires at ${stored.expires}.`;
  if (!json) process.stderr.write(`The key ${idOf(stored)} of ${stored.name}, shown only once:${end}\n`);
  try {
    writeSync(process.stdout.fd, `${json ? JSON.stringify({ key, ...factsOf(stored) }) : key}\n`);
  } catch (error) {
    await revokeKeys(stateDir, idOf(stored));
    throw new CommandFailure(
      `Standard output cannot be written: ${(error as Error).message}. The key is revoked; create another one.`,
      exitCodes.givenUp.code,
    );
  }
}

function unknown(idOrName: string): CommandFailure {
  return new CommandFailure(
    `No valid stored key has the id or name ${JSON.stringify(idOrName)}; keys from API_KEYS are not stored.`,
  );
}
