import { Readable } from "node:stream";
import { pino } from "pino";
import type { Fetch, FetchedAnswer, FetchInit } from "../client/fetch-answer.ts";
import { errorBody, errorCatalogue, RequestError } from "../contract/errors.ts";
import { languageOf } from "../contract/language.ts";
import { maxBodyBytes, maxStreamLineBytes } from "../contract/limits.ts";
import { type PooledOperationName, routes } from "../contract/routes.ts";
import type { CheckPool } from "../pool/check-pool.ts";
import { type TaskRequest, taskOf } from "../pool/requests.ts";
import type { Slot } from "../pool/slots.ts";
import { streamOptionsOf } from "../pool/stream/stream-options.ts";
import {
  BlockEnd,
  decodeStreamProgress,
  encodeStreamBlock,
  newStreamState,
} from "../pool/stream/stream-task.ts";
import { decodeRefusal } from "../pool/tasks.ts";
import { startPool } from "../service/service.ts";
import { readSettings } from "../settings.ts";
import { CommandFailure } from "./exit-codes.ts";

/** More than a command has in flight, so that nothing is refused. */
const queue = 64;

export interface OfflineOptions {
  /** Number of workers unless POOL_SIZE is set; as many as the service has if it is undefined. */
  readonly workers?: number;
  /** Whether it takes over bank data that is imported while it runs; otherwise all answers are of one edition. */
  readonly followsData?: boolean;
}

/** Starts the service's worker pool in this process, over the same bank data; `fetch` sends requests to it. */
export async function startOffline({ workers, followsData = false }: OfflineOptions = {}) {
  const preset = workers === undefined ? {} : { POOL_SIZE: String(workers) };
  const settings = readSettings([], { ...preset, ...process.env }, used);
  const log = pino({ level: "silent" });
  const { pool, watch } = await startPool({ ...settings, poolQueue: queue }, log);
  const close = () => {
    watch.close();
    return pool.close();
  };
  if (!followsData) watch.close();
  if (!pool.editions.isLoaded) {
    await close();
    throw new CommandFailure(`The bank data of ${settings.dataDir || "the package"} cannot be loaded.`);
  }
  return { fetch: fetchFromPool(pool), close };
}

/** The settings of the service that mean something to a command. */
const used = [
  "poolSize",
  "checkTimeout",
  "checkHardLimit",
  "dataDir",
  "stateDir",
  "observeAccounts",
] as const;

type CommandInit = Omit<FetchInit, "body"> & { readonly body?: string | Uint8Array };

/** Answers the requests of commands from a pool of workers, as the service does, without a network. */
function fetchFromPool(pool: CheckPool): Fetch {
  return async (address, { method, body = "", signal }: CommandInit) => {
    signal.throwIfAborted();
    const { pathname, search } = new URL(address);
    const query = search.slice(1);
    const language = languageOf(query, "");
    try {
      const bytes = typeof body === "string" ? Buffer.from(body) : body;
      const request: TaskRequest = { parameters: [], query, body: bytes, language };
      if (pathname === "/v1/stream") return await streamed(pool, request);
      if (bytes.length > maxBodyBytes) throw new RequestError("payload_too_large");
      // No command asks for a path with parameters, or for what needs no worker.
      const route = routes.find((candidate) => candidate.path === pathname && candidate.method === method)!;
      const { fill } = taskOf[route.operation as PooledOperationName](request);
      return await perform(pool, fill, (slot) =>
        answer(200, slot.answer.toString(), pool.editions.nameIn(slot)),
      );
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { code, detail } = error;
      const refusal = errorBody(code, detail, { language, explain: false });
      return answer(errorCatalogue[code].http_status, JSON.stringify(refusal));
    }
  };
}

function answer(
  status: number,
  text: string,
  edition: string | null = null,
  body?: AsyncIterable<Uint8Array>,
): FetchedAnswer {
  const get = (name: string) => (name === "X-Data-Edition" ? edition : null);
  return { ok: status === 200, status, headers: { get }, text: async () => text, body };
}

/** Lets the pool answer rows of CSV, which are all that commands send as a stream, block after block. */
async function streamed(pool: CheckPool, request: TaskRequest): Promise<FetchedAnswer> {
  const { flags, question } = streamOptionsOf(request, { input: "csv", output: "csv" });
  const parts: Uint8Array[] = [];
  let edition: string | null = null;
  let state = newStreamState(question);
  for (let rest = request.body, isFinished = false; !isFinished; ) {
    const end = rest.length > maxStreamLineBytes ? BlockEnd.more : BlockEnd.body;
    const fill = (slot: Slot) => encodeStreamBlock(slot, flags, rest, state, end);
    const progress = await perform(pool, fill, (slot) => {
      parts.push(Buffer.from(slot.answer));
      edition = pool.editions.nameIn(slot);
      return decodeStreamProgress(slot);
    });
    rest = rest.subarray(progress.consumed);
    ({ state, isFinished } = progress);
  }
  return answer(200, "", edition, Readable.from(parts));
}

/** Every task takes a large slot: memory is only used by those that are in flight. */
function perform<Result>(
  pool: CheckPool,
  fill: (slot: Slot) => void,
  read: (slot: Slot) => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    pool.submit("large", pool.tenantOf(), fill, (slot, outcome) => {
      const refusal = outcome === "answered" ? decodeRefusal(slot) : new RequestError("checker_failed");
      if (refusal === undefined) resolve(read(slot));
      else reject(refusal);
    });
  });
}
