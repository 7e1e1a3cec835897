import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { BankcheckClient } from "../client/client.ts";
import type { BankcheckError } from "../client/errors.ts";
import type { AnswerText } from "./answer-text.ts";
import { exitCodes } from "./exit-codes.ts";
import { fetchOverHttp } from "./fetch-over-http.ts";
import { CommandFailure } from "./program.ts";

/** The options by which a command finds the service. */
export interface ConnectionOptions {
  readonly url: string;
  readonly keyFile?: string;
  readonly concurrency: number;
  readonly timeout: number;
  readonly retries: number;
  readonly offline: boolean;
}

/** A client, and how to let go of what it works with. */
export interface Connection {
  readonly client: BankcheckClient;
  close(): Promise<void>;
}

/** Adds the options by which a command finds the service. */
export function withConnection(command: Command): Command {
  const { concurrency, timeout, retries } = { concurrency: 4, timeout: 30_000, retries: 8 };
  return command
    .addOption(
      new Option("--url <address>", "address of the service")
        .env("BANKCHECK_URL")
        .default("http://127.0.0.1:8080"),
    )
    .addOption(
      new Option(
        "--key-file <file>",
        "file that holds the API key; otherwise it is taken from BANKCHECK_KEY",
      ),
    )
    .option("--offline", "check in this process, with the bank data of DATA_DIR or the shipped one", false)
    .option("--concurrency <n>", "most requests in flight", integer(1, 64), concurrency)
    .option("--timeout <ms>", "how long one answer may take", integer(1, 600_000), timeout)
    .option("--retries <n>", "how often a request is sent again", integer(0, 100), retries);
}

/** Reads an integer within bounds from an option. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
  };
}

/** Makes the client for a command: for the service or, offline, for a pool of workers in this process. */
export async function connect(options: ConnectionOptions, textOf: AnswerText): Promise<Connection> {
  const { url, concurrency, timeout, retries, offline } = options;
  if (offline) {
    const { startOffline } = await import("./offline/start-offline.ts");
    const { fetch, close } = await startOffline(textOf);
    const client = new BankcheckClient({
      baseUrl: "offline://",
      apiKey: "",
      concurrency,
      timeout,
      retries,
      fetch,
    });
    return { client, close };
  }
  const apiKey = apiKeyOf(options);
  try {
    const client = new BankcheckClient({
      baseUrl: url,
      apiKey,
      concurrency,
      timeout,
      retries,
      fetch: fetchOverHttp(textOf),
    });
    return { client, close: async () => {} };
  } catch (error) {
    throw new CommandFailure(`--url cannot be used: ${(error as Error).message}.`, exitCodes.unusable.code);
  }
}

function apiKeyOf({ keyFile }: ConnectionOptions): string {
  const { BANKCHECK_KEY: key = "" } = process.env;
  if (keyFile === undefined) {
    if (key !== "") return key;
    throw new CommandFailure(
      "No API key: set BANKCHECK_KEY or name a file with --key-file.",
      exitCodes.unusable.code,
    );
  }
  try {
    return readFileSync(keyFile, "utf8").trim();
  } catch (error) {
    throw new CommandFailure(
      `The API key cannot be read: ${(error as Error).message}.`,
      exitCodes.unusable.code,
    );
  }
}

/** Says a failure of the service in one sentence with the exit code that belongs to it. */
export function failureOf(error: BankcheckError, hint = ""): CommandFailure {
  const { code } = error.isRetryable ? exitCodes.givenUp : exitCodes.refused;
  return new CommandFailure(`${error.message} (${error.code})${hint}`, code);
}
