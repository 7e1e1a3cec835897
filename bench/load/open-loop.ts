import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Requests of one kind, sent at a steady rate whatever becomes of them. */
export interface Stream {
  readonly name: string;
  /** Requests per second; "closed" sends the next one when the last is answered, on every connection. */
  readonly perSecond: number | "closed";
  readonly connections: number;
  /** Whole HTTP requests as text, sent in turn. */
  readonly requests: readonly string[];
}

/** An open-loop load, or a closed one for comparison, by the same generator. */
export interface OpenLoad {
  readonly port: number;
  readonly seconds: number;
  readonly streams: readonly Stream[];
}

/** What became of one stream. */
export interface StreamResult {
  readonly name: string;
  /** Requests that were due, and those that could be sent: the rest found all connections taken. */
  readonly due: number;
  readonly sent: number;
  /** By HTTP status: how many, how many of them told to retry after two seconds, and milliseconds since they were sent. */
  readonly statuses: Readonly<
    Record<string, { count: number; retryAfter: number; p50: number; p99: number; max: number }>
  >;
  /** Connections that ended by themselves. */
  readonly lost: number;
}

/** Sends a load from a process of its own, so that neither side waits for the other's event loop. */
export async function sendLoad(load: OpenLoad): Promise<readonly StreamResult[]> {
  const file = fileURLToPath(new URL("open-loop-process.ts", import.meta.url));
  const child = fork(file, { execArgv: ["--import", "tsx"] });
  child.send(load);
  const [results] = (await once(child, "message")) as [readonly StreamResult[]];
  await once(child, "exit");
  return results;
}
