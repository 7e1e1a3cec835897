import { availableParallelism } from "node:os";

type SettingKind =
  | { readonly min: number; readonly max: number; readonly unit?: string }
  | { readonly form: string; readonly pattern?: RegExp };

export interface SettingRow {
  readonly kind: SettingKind;
  /** Default as text, or a function of the numbers read so far where it depends on the machine or on another one. */
  readonly fallback: string | ((read: Readonly<Record<string, number>>) => number);
  /** How the default is described where it is computed. */
  readonly defaultText?: string;
  /** Whether an empty value is a value; otherwise it counts as absent. */
  readonly mayBeEmpty?: boolean;
  /** A secret's value is never repeated in a message. */
  readonly secret?: boolean;
  readonly sentence: string;
}

const host = {
  // Nothing that is sent to a multicast or broadcast address would be a connection.
  pattern: /^(?!(?:22[4-9]|23\d|255)(?:\.\d+){3}$|ff[\da-f]{2}:)[\w.:-]+$/i,
  form: "a host name or a unicast address",
} as const;

const keyList = /^$|^[\w.-]{1,64}:[^\s,:]{16,}(,[\w.-]{1,64}:[^\s,:]{16,})*$/;

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
    kind: { min: 0, max: 65_535 },
    fallback: "8080",
    sentence: "TCP port; 0 picks a free one and prints it.",
  },
  apiKeys: {
    kind: { pattern: keyList, form: "name:key,name:key, each key of at least 16 characters" },
    fallback: "",
    secret: true,
    sentence: "API keys from the environment; with none here and none stored, the first start creates one.",
  },
  stateDir: {
    kind: { form: "a folder" },
    fallback: ".state",
    sentence:
      "Folder for the service's state (digests of API keys, usage); created if absent, readable by its owner only.",
  },
  usageStore: {
    kind: { pattern: /^(lmdb|rediss?:\/\/[^\s/]+(\/\d{1,4})?)$/, form: "lmdb or redis://host:6379/0" },
    fallback: "lmdb",
    secret: true,
    sentence:
      "Usage store: an LMDB file in STATE_DIR, or a Redis or Valkey server (rediss:// over TLS) that several machines share.",
  },
  processes: {
    kind: { min: 1, max: 64, unit: "processes" },
    fallback: "1",
    sentence:
      "Processes that share the port, each with its own front end and pool; for machines with four cores or more.",
  },
  poolSize: {
    kind: { min: 1, max: 64, unit: "threads" },
    fallback: (read) => Math.min(64, Math.max(1, Math.floor(availableParallelism() / read["processes"]!))),
    defaultText: "number of processor cores ÷ PROCESSES",
    sentence: "Worker threads that check, in each process: the concurrency ceiling.",
  },
  poolQueue: {
    kind: { min: 0, max: 4_096, unit: "requests" },
    // A stall of 20 ms, in which others have the processor, brings more single checks than fewer places would bear.
    fallback: (read) => Math.min(4_096, 512 * read["poolSize"]!),
    defaultText: "512 × POOL_SIZE, at most 4096",
    sentence:
      "Accepted requests that may wait for a worker; the next one is answered 503. At most 128 of them for each worker may be batches, streams, or texts above 1 KB.",
  },
  bodyTimeout: {
    kind: { min: 100, max: 9_000, unit: "ms" },
    fallback: "8000",
    sentence: "How long a request body may take to arrive before the answer is 500 internal_error.",
  },
  answerTimeout: {
    kind: { min: 100, max: 600_000, unit: "ms" },
    fallback: "30000",
    sentence:
      "How long a client may take to read one answer before its connection is closed. A client that reads nothing for 10 s is closed earlier.",
  },
  tlsCert: {
    kind: { form: "a PEM file" },
    fallback: "",
    defaultText: "none: HTTP",
    sentence:
      "Certificate with its chain for HTTPS; requires TLS_KEY. A renewed file is loaded while the service runs.",
  },
  tlsKey: {
    kind: { form: "a PEM file" },
    fallback: "",
    defaultText: "none: HTTP",
    sentence: "Private key of TLS_CERT.",
  },
  maxConnections: {
    kind: { min: 0, max: 1_000_000, unit: "connections" },
    fallback: "0",
    defaultText: "as many as the limit of open files allows",
    sentence:
      "Maximum number of open connections in each process; beyond it the oldest that has sent no request is closed, or else the new one.",
  },
  maxConnectionsPerAddress: {
    kind: { min: 0, max: 1_000_000, unit: "connections" },
    fallback: "0",
    defaultText: "no bound",
    sentence:
      "Maximum number of open connections from one client address in each process; further ones are closed at once. Behind a proxy all clients share its address.",
  },
  streams: {
    kind: { min: 0, max: 4_096, unit: "streams" },
    fallback: (read) => 8 * read["poolSize"]!,
    defaultText: "8 × POOL_SIZE",
    sentence: "Maximum number of open streams in each process; the next one is answered 503.",
  },
  streamIdleTimeout: {
    kind: { min: 100, max: 3_600_000, unit: "ms" },
    fallback: "60000",
    sentence: "How long a stream waits for the next bytes of its body before it ends with an error line.",
  },
  checkTimeout: {
    kind: { min: 100, max: 60_000, unit: "ms" },
    fallback: "10000",
    sentence:
      "How long an accepted check may take before the answer is 500 checker_failed, or 503 server_busy if no worker has begun it.",
  },
  checkHardLimit: {
    kind: { min: 200, max: 600_000, unit: "ms" },
    fallback: (read) => 3 * read["checkTimeout"]!,
    defaultText: "3 × CHECK_TIMEOUT",
    sentence:
      "How long one check may keep its worker thread before the thread is replaced; must exceed CHECK_TIMEOUT.",
  },
  stopTimeout: {
    kind: { min: 100, max: 60_000, unit: "ms" },
    fallback: "9000",
    sentence: "How long a stop waits for running requests before it aborts them.",
  },
  adminPort: {
    kind: { min: 0, max: 65_535 },
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
    kind: { pattern: /^(|GB|DE|GB,DE|DE,GB)$/, form: "GB, DE, GB,DE or nothing" },
    fallback: "GB",
    mayBeEmpty: true,
    sentence:
      "Countries in which an account that fails its check alone (UK modulus check, German check-digit method) is valid with a warning; empty, it is not valid in either.",
  },
  logLevel: {
    kind: {
      pattern: /^(trace|debug|info|warn|error|fatal|silent)$/,
      form: "trace, debug, info, warn, error, fatal or silent",
    },
    fallback: "info",
    sentence: "Write log lines of this level and above.",
  },
  logSample: {
    kind: { min: 0, max: 1_000_000, unit: "requests" },
    fallback: "1000",
    sentence:
      "Log one request in every N: 1 for all, 0 for none. Answers with 5xx are always logged, at most ten per second for each status.",
  },
  dataDir: {
    kind: { form: "a folder of bank data" },
    fallback: "",
    defaultText: "STATE_DIR/data after an import, otherwise the shipped data",
    sentence:
      "Folder of the bank data, watched while the service runs; if it is unreadable, checks are answered 500 configuration_error.",
  },
  allowFrom: {
    kind: { pattern: networkList, form: "addresses or networks, as in 10.0.0.0/8,::1" },
    fallback: "",
    defaultText: "every address",
    sentence: "Client addresses to serve; all others are answered 403.",
  },
  corsOrigins: {
    kind: { pattern: originList, form: "origins, as in https://shop.example,http://localhost:3000" },
    fallback: "",
    sentence: "Origins of the web pages that may call the service from a browser (CORS).",
  },
  getIban: {
    kind: { pattern: /^(on|off)$/, form: "on or off" },
    fallback: "on",
    sentence: "Whether GET may check accounts; off answers 403, because proxies log paths.",
  },
  uwsBinding: {
    kind: { form: "a path to a uWebSockets.js binary (.node)" },
    fallback: "",
    sentence: "Native binary to load if no installed one fits this Node and C library.",
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof settingsTable;

/** The settings as read: integers as numbers, everything else as text. */
export type Settings = {
  readonly [Name in SettingName]: (typeof settingsTable)[Name]["kind"] extends { min: number }
    ? number
    : string;
};
