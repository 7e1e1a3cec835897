import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { BankcheckError } from "../client/errors.ts";
import { type ClientOptions, type RetryNotice, senderOptions } from "../client/options.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";
import type { OfflineOptions } from "./offline.ts";
import { withoutControls } from "./program.ts";

export interface ConnectionOptions {
  readonly url: string;
  readonly keyFile?: string;
  readonly concurrency: number;
  readonly timeout: number;
  readonly retries: number;
  readonly offline?: boolean;
}

export interface ConnectionDefaults extends OfflineOptions {
  /** Address of the service; undefined for a command that works offline without `--url`, also where `BANKCHECK_URL` is set. */
  readonly url: string | undefined;
  readonly timeout: number;
  readonly retries: number;
  /** How long a failed request may be retried, in milliseconds since it was first sent. */
  readonly giveUpAfter: number;
}

/** A file outlasts a restart of the service. */
export const fileDefaults: ConnectionDefaults = {
  url: "http://127.0.0.1:8080",
  timeout: 30_000,
  retries: 8,
  giveUpAfter: Number.POSITIVE_INFINITY,
};

/** A person who waits gets an answer or a reason within about two seconds. */
export const interactiveDefaults = {
  url: "http://127.0.0.1:8080",
  timeout: 2_500,
  retries: 3,
  giveUpAfter: 2_500,
  workers: 1,
} satisfies ConnectionDefaults;

export function withConnection(command: Command, { url, timeout, retries }: ConnectionDefaults): Command {
  const address = new Option("--url <address>", "address of the service").default(url);
  return command
    .addOption(url === undefined ? address : address.env("BANKCHECK_URL"))
    .addOption(new Option("--key-file <file>", "file with the API key; default: the variable BANKCHECK_KEY"))
    .option("--offline", "check in this process, with the bank data of DATA_DIR or the shipped data")
    .option("--concurrency <n>", "maximum number of requests in flight", integer(1, 64), 4)
    .option("--timeout <ms>", "maximum time for one answer, in milliseconds", integer(1, 600_000), timeout)
    .option("--retries <n>", "maximum number of retries for one request", integer(0, 100), retries);
}

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
  };
}

/**
 * Returns the options of a client for a command, of the service or, offline, of a pool of workers in this process, and how
 * to release what it works with.
 */
export async function connect(
  options: ConnectionOptions,
  { giveUpAfter, ...offlineOptions }: ConnectionDefaults,
  onRetry: NonNullable<ClientOptions["onRetry"]>,
) {
  const { url, concurrency, timeout, retries, offline } = options;
  const shared = { concurrency, timeout, retries, onRetry };
  if (offline) {
    const { startOffline } = await import("./offline.ts");
    const { fetch, close } = await startOffline(offlineOptions);
    return { options: { ...shared, baseUrl: "http://offline", apiKey: "offline", fetch }, close };
  }
  // The library that follows these variables takes a while to load.
  const hasProxy = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name));
  const proxied = hasProxy ? (await import("./proxy.ts")).proxiedFetch(url) : undefined;
  const fetch = proxied === undefined ? {} : { fetch: proxied.fetch };
  const online = { ...shared, ...fetch, baseUrl: url, apiKey: apiKeyOf(options), giveUpAfter };
  try {
    senderOptions(online);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailure(message.replace("baseUrl", "--url").replace("apiKey", "The API key"));
  }
  return { options: online, close: async () => proxied?.close() };
}

export function retryText({ error, retry, delay }: RetryNotice): string {
  const seconds = delay < 1_000 ? (delay / 1_000).toFixed(1) : Math.round(delay / 1_000);
  const reason = withoutControls(error.message).replace(/\.$/, "");
  return `${reason}; retry ${retry} in ${seconds} s.`;
}

/** Writes a line that is not the result to standard error, as JSON where a program reads it. */
export function writeNote(note: string, { json }: { readonly json?: boolean }): void {
  process.stderr.write(`${json === true ? JSON.stringify({ note }) : withoutControls(note)}\n`);
}

function apiKeyOf({ keyFile }: ConnectionOptions): string {
  const { BANKCHECK_KEY: key = "" } = process.env;
  if (keyFile === undefined) {
    if (key !== "") return key;
    throw new CommandFailure("No API key: set BANKCHECK_KEY or name a file with --key-file.");
  }
  const read = readFileSync(keyFile, "utf8").trim();
  if (read !== "") return read;
  throw new CommandFailure(`The key file ${keyFile} is empty; it must contain the API key.`);
}

export function failureOf(error: BankcheckError, hint = ""): CommandFailure {
  const isFailure = error.isRetryable || error.code === "incomplete_answer";
  const { code } = isFailure ? exitCodes.givenUp : exitCodes.refused;
  return new CommandFailure(`${error.message} (${error.code})${hint}`, code, error.code);
}
