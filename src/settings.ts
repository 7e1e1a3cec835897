import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

const packageFile: unknown = createRequire(import.meta.url)("#package.json");

/** The product's version, as `package.json` states it. */
export const productVersion: string = (packageFile as { readonly version: string }).version;

/** Type of a setting, and the values it accepts. */
type SettingKind =
  | { readonly type: "integer"; readonly min: number; readonly max: number }
  | { readonly type: "text"; readonly pattern?: RegExp; readonly form: string };

/** One row of the settings table. */
export interface SettingRow {
  readonly kind: SettingKind;
  /** Default as text, or a function of the settings read so far where it depends on the machine or on another one. */
  readonly fallback: string | ((read: Readonly<Record<string, string>>) => string);
  /** How the default is described where it is computed. */
  readonly defaultText?: string;
  readonly unit?: string;
  /** Whether an empty value is a value; otherwise it counts as absent. */
  readonly mayBeEmpty?: boolean;
  /** An older setting that this one replaces, and what its values mean here. */
  readonly formerly?: { readonly name: string; readonly values: Readonly<Record<string, string>> };
  /** A secret's value is never repeated in a message. */
  readonly secret?: boolean;
  readonly sentence: string;
}

const host = {
  type: "text",
  // Nothing that is sent to a multicast or broadcast address would be a connection.
  pattern: /^(?!(?:22[4-9]|23\d|255)(?:\.\d+){3}$|ff[\da-f]{2}:)[\w.:-]+$/i,
  form: "a host name or a unicast address",
} as const;
const keyList = /^$|^[\w.-]{1,64}:[^\s,:]{16,}(,[\w.-]{1,64}:[^\s,:]{16,})*$/;
const usageStore = /^(lmdb|rediss?:\/\/[^\s/]+(\/\d{1,4})?)$/;
const originList = /^$|^https?:\/\/[a-z0-9.[\]:-]+(,https?:\/\/[a-z0-9.[\]:-]+)*$/;
const networkList = /^$|^[0-9a-fA-F.:]+(\/\d{1,3})?(,[0-9a-fA-F.:]+(\/\d{1,3})?)*$/;

/**
 * The table of settings: README, `--help` and the start-up checks are made from it.
 *
 * Its environment variable and its flag follow from a setting's name (`poolSize`: `POOL_SIZE`, `--pool-size`). A flag wins
 * over the environment, the environment over the default; an empty value counts as absent.
 */
export const settingsTable = {
  host: {
    kind: host,
    fallback: "127.0.0.1",
    sentence: "Address the service listens on.",
  },
  port: {
    kind: { type: "integer", min: 0, max: 65_535 },
    fallback: "8080",
    sentence: "TCP port; 0 picks a free one and prints it.",
  },
  apiKeys: {
    kind: { type: "text", pattern: keyList, form: "name:key,name:key, each key of at least 16 characters" },
    fallback: "",
    secret: true,
    sentence: "API keys from the environment; with none here and none stored, the first start creates one.",
  },
  stateDir: {
    kind: { type: "text", form: "a folder" },
    fallback: ".state",
    sentence:
      "Folder for the service's state (digests of API keys, usage); created if absent, readable by its owner only.",
  },
  usageStore: {
    kind: { type: "text", pattern: usageStore, form: "lmdb or redis://host:6379/0" },
    fallback: "lmdb",
    secret: true,
    sentence:
      "Usage store: an LMDB file in STATE_DIR, or a Redis or Valkey server (rediss:// over TLS) that several machines share.",
  },
  processes: {
    kind: { type: "integer", min: 1, max: 64 },
    fallback: "1",
    unit: "processes",
    sentence:
      "Processes that share the port, each with its own front end and pool; for machines with four cores or more.",
  },
  poolSize: {
    kind: { type: "integer", min: 1, max: 64 },
    fallback: (read) => {
      const cores = Math.floor(availableParallelism() / Number(read["processes"]));
      return String(Math.min(64, Math.max(1, cores)));
    },
    defaultText: "number of processor cores ÷ PROCESSES",
    unit: "threads",
    sentence: "Worker threads that check, in each process: the concurrency ceiling.",
  },
  poolQueue: {
    kind: { type: "integer", min: 0, max: 4_096 },
    // A stall of 20 ms, in which others have the processor, brings more single checks than fewer places would bear.
    fallback: (read) => String(Math.min(4_096, 512 * Number(read["poolSize"]))),
    defaultText: "512 × POOL_SIZE, at most 4096",
    unit: "requests",
    sentence:
      "Accepted requests that may wait for a worker; the next one is answered 503. At most 128 of them for each worker may be batches, streams, or texts above 1 KB.",
  },
  bodyTimeout: {
    kind: { type: "integer", min: 100, max: 9_000 },
    fallback: "8000",
    unit: "ms",
    sentence: "How long a request body may take to arrive before the answer is 500 internal_error.",
  },
  answerTimeout: {
    kind: { type: "integer", min: 100, max: 600_000 },
    fallback: "30000",
    unit: "ms",
    sentence:
      "How long a client may take to read one answer before its connection is closed. A client that reads nothing for 10 s is closed earlier.",
  },
  tlsCert: {
    kind: { type: "text", form: "a PEM file" },
    fallback: "",
    defaultText: "none: HTTP",
    sentence:
      "Certificate with its chain for HTTPS; requires TLS_KEY. A renewed file is loaded while the service runs.",
  },
  tlsKey: {
    kind: { type: "text", form: "a PEM file" },
    fallback: "",
    defaultText: "none: HTTP",
    sentence: "Private key of TLS_CERT.",
  },
  maxConnections: {
    kind: { type: "integer", min: 0, max: 1_000_000 },
    fallback: "0",
    defaultText: "as many as the limit of open files allows",
    unit: "connections",
    sentence:
      "Maximum number of open connections in each process; beyond it the oldest that has sent no request is closed, or else the new one.",
  },
  maxConnectionsPerAddress: {
    kind: { type: "integer", min: 0, max: 1_000_000 },
    fallback: "0",
    defaultText: "no bound",
    unit: "connections",
    sentence:
      "Maximum number of open connections from one client address in each process; further ones are closed at once. Behind a proxy all clients share its address.",
  },
  streams: {
    kind: { type: "integer", min: 0, max: 4_096 },
    fallback: (read) => String(8 * Number(read["poolSize"])),
    defaultText: "8 × POOL_SIZE",
    unit: "streams",
    sentence: "Maximum number of open streams in each process; the next one is answered 503.",
  },
  streamIdleTimeout: {
    kind: { type: "integer", min: 100, max: 3_600_000 },
    fallback: "60000",
    unit: "ms",
    sentence: "How long a stream waits for the next bytes of its body before it ends with an error line.",
  },
  checkTimeout: {
    kind: { type: "integer", min: 100, max: 60_000 },
    fallback: "10000",
    unit: "ms",
    sentence:
      "How long an accepted check may take before the answer is 500 checker_failed, or 503 server_busy if no worker has begun it.",
  },
  checkHardLimit: {
    kind: { type: "integer", min: 200, max: 600_000 },
    fallback: (read) => String(3 * Number(read["checkTimeout"])),
    defaultText: "3 × CHECK_TIMEOUT",
    unit: "ms",
    sentence:
      "How long one check may keep its worker thread before the thread is replaced; must exceed CHECK_TIMEOUT.",
  },
  stopTimeout: {
    kind: { type: "integer", min: 100, max: 60_000 },
    fallback: "9000",
    unit: "ms",
    sentence: "How long a stop waits for running requests before it aborts them.",
  },
  adminPort: {
    kind: { type: "integer", min: 0, max: 65_535 },
    fallback: "0",
    sentence:
      "TCP port of the admin listener, which serves the metrics and the probes without a key and without TLS; 0 for none. With several processes, each uses the next port.",
  },
  adminHost: {
    kind: host,
    fallback: "127.0.0.1",
    sentence: "Address of the admin listener.",
  },
  observeAccounts: {
    kind: { type: "text", pattern: /^(|GB|DE|GB,DE|DE,GB)$/, form: "GB, DE, GB,DE or nothing" },
    fallback: "GB",
    mayBeEmpty: true,
    formerly: { name: "ukModulus", values: { observe: "GB", enforce: "" } },
    sentence:
      "Countries in which an account that fails its check alone (UK modulus check, German check-digit method) is valid with a warning; empty, it is not valid in either.",
  },
  logLevel: {
    kind: {
      type: "text",
      pattern: /^(trace|debug|info|warn|error|fatal|silent)$/,
      form: "trace, debug, info, warn, error, fatal or silent",
    },
    fallback: "info",
    sentence: "Write log lines of this level and above.",
  },
  logSample: {
    kind: { type: "integer", min: 0, max: 1_000_000 },
    fallback: "1000",
    unit: "requests",
    sentence:
      "Log one request in every N: 1 for all, 0 for none. Answers with 5xx are always logged, at most ten per second for each status.",
  },
  dataDir: {
    kind: { type: "text", form: "a folder of bank data" },
    fallback: "",
    defaultText: "STATE_DIR/data after an import, otherwise the shipped data",
    sentence:
      "Folder of the bank data, watched while the service runs; if it is unreadable, checks are answered 500 configuration_error.",
  },
  allowFrom: {
    kind: { type: "text", pattern: networkList, form: "addresses or networks, as in 10.0.0.0/8,::1" },
    fallback: "",
    defaultText: "every address",
    sentence: "Client addresses to serve; all others are answered 403.",
  },
  corsOrigins: {
    kind: {
      type: "text",
      pattern: originList,
      form: "origins, as in https://shop.example,http://localhost:3000",
    },
    fallback: "",
    defaultText: "none",
    sentence: "Origins of the web pages that may call the service from a browser (CORS).",
  },
  getIban: {
    kind: { type: "text", pattern: /^(on|off)$/, form: "on or off" },
    fallback: "on",
    sentence: "Whether GET may check accounts; off answers 403, because proxies log paths.",
  },
  uwsBinding: {
    kind: { type: "text", form: "a path to a uWebSockets.js binary (.node)" },
    fallback: "",
    sentence: "Native binary to load if no installed one fits this Node and C library.",
  },
} as const satisfies Record<string, SettingRow>;

/** A setting's name in code. */
export type SettingName = keyof typeof settingsTable;

/** The settings as read: integers as numbers, everything else as text. */
export type Settings = {
  readonly [Name in SettingName]: (typeof settingsTable)[Name]["kind"] extends { type: "integer" }
    ? number
    : string;
};

/** A setting that cannot be used; its message is one sentence for the person who set it. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Returns the environment variable of a setting: `POOL_SIZE` of `poolSize`. */
export function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}

/** Returns the command-line flag of a setting, without its dashes: `pool-size` of `poolSize`. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, "-$&").toLowerCase();
}

/** Returns the accepted values of a setting, as in `--help`, README and errors. */
export function boundsOf(row: SettingRow): string {
  if (row.kind.type === "text") return row.kind.form;
  const unit = row.unit === undefined ? "" : ` ${row.unit}`;
  return `an integer from ${row.kind.min} to ${row.kind.max}${unit}`;
}

/** Columns of a help text. */
export const helpColumns = 80;

/** Breaks a text into lines that fit a help text below an indent. */
export function wrapped(text: string, indent: string): readonly string[] {
  const fits = new RegExp(`(\\S.{0,${helpColumns - indent.length - 1}})(?:\\s+|$)`, "g");
  return [...text.matchAll(fits)].map(([, line = ""]) => indent + line);
}

/** Returns the text of `--help`: every flag with its environment variable, bounds and default, from the settings table. */
export function helpText(): string {
  const lines = Object.entries<SettingRow>(settingsTable).map(([name, row]) => {
    const fallback = row.defaultText ?? row.fallback;
    const fallbackText = fallback === "" ? "none" : String(fallback);
    return [
      `  --${flagOf(name)}  (${variableOf(name)})`,
      ...wrapped(`${row.sentence} Takes ${boundsOf(row)}. Default: ${fallbackText}.`, "      "),
    ].join("\n");
  });
  return [
    "bankcheck: checks IBANs, BICs and German account numbers over HTTP.",
    "",
    "Every setting is a flag or an environment variable; a flag wins.",
    "",
    ...lines,
    "",
  ].join("\n");
}

/**
 * Reads all settings from flags and environment.
 *
 * Throws a SettingError that names the setting, its bounds and the value given, or the unknown flag.
 *
 * @param wanted the settings that are used; the others have their defaults regardless of the environment.
 */
export function readSettings(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string | undefined>> = {},
  wanted?: readonly SettingName[],
): Settings {
  const flags = readFlags(args);
  const isWanted = (name: string) => wanted?.includes(name as SettingName) ?? true;
  const texts: Record<string, string> = {};
  const values: Record<string, string | number> = {};
  for (const [name, row] of Object.entries<SettingRow>(settingsTable)) {
    const givenAs = (as: string) =>
      [flags[flagOf(as)], environment[variableOf(as)]].find(
        (text) => text !== undefined && (text !== "" || row.mayBeEmpty === true),
      );
    const given = isWanted(name) ? (givenAs(name) ?? formerValue(row, givenAs)) : undefined;
    const text = given ?? (typeof row.fallback === "string" ? row.fallback : row.fallback(texts));
    texts[name] = text;
    values[name] = parseSetting(variableOf(name), row, text);
  }
  const settings = values as Settings;
  const { checkTimeout, checkHardLimit } = settings;
  if (checkHardLimit <= checkTimeout) {
    throw new SettingError(
      `CHECK_HARD_LIMIT must exceed CHECK_TIMEOUT (${checkTimeout} ms), but is ${checkHardLimit} ms.`,
    );
  }
  return settings;
}

/** The value of a setting that is given by its former name; throws a SettingError for one that it did not have. */
function formerValue(
  { formerly }: SettingRow,
  givenAs: (name: string) => string | undefined,
): string | undefined {
  const given = formerly && givenAs(formerly.name);
  if (formerly === undefined || given === undefined || given === "") return undefined;
  const value = Object.entries(formerly.values).find(([former]) => former === given)?.[1];
  if (value !== undefined) return value;
  const form = Object.keys(formerly.values).join(" or ");
  throw new SettingError(`${variableOf(formerly.name)} must be ${form}, but is ${JSON.stringify(given)}.`);
}

function readFlags(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const former = Object.values<SettingRow>(settingsTable).flatMap(({ formerly }) => formerly?.name ?? []);
  const names = [...Object.keys(settingsTable), ...former];
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: "string" as const }]));
  try {
    // Strict, and without positional arguments, by default.
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new SettingError(`${(error as Error).message.split("\n")[0]} (see --help).`);
  }
}

function parseSetting(variable: string, row: SettingRow, text: string): string | number {
  const given = row.secret === true ? "not of that form" : JSON.stringify(text);
  const refuse = () => new SettingError(`${variable} must be ${boundsOf(row)}, but is ${given}.`);
  if (row.kind.type === "text") {
    if (row.kind.pattern !== undefined && !row.kind.pattern.test(text)) throw refuse();
    return text;
  }
  if (!/^\d{1,9}$/.test(text)) throw refuse();
  const value = Number(text);
  if (value < row.kind.min || value > row.kind.max) throw refuse();
  return value;
}

/** The service cannot start for a reason outside the program; the message is one sentence for the operator. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
