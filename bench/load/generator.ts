import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { run } from "./run-command.ts";

/** The API key with which the bench calls the service. */
export const benchKey = "bench-key-0123456789";

/** A load: closed loop, a fixed number of connections that each send the next request when the last is answered. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Bodies to post in turn; a GET where absent. */
  readonly bodies?: readonly string[];
  /**
   * Mean pause of a connection between an answer and its next request, in milliseconds, spread as independent arrivals
   * are: with many connections nearly an open loop. None where absent.
   */
  readonly pauseMs?: number;
}

export interface LoadResult {
  /** Answers with status 200 per second. */
  readonly perSecond: number;
  /** Answers with any other status, per second. */
  readonly refusedPerSecond: number;
  /** All answers. */
  readonly answers: number;
  /** Milliseconds, over all answers. */
  readonly p50: number;
  readonly p99: number;
  readonly socketErrors: number;
  /** Processor seconds the generator itself used; undefined if unknown. */
  readonly generatorSeconds: number | undefined;
}

/** Runs one load to its end. */
export type Generator = (load: Load) => Promise<LoadResult>;

const script = fileURLToPath(new URL("wrk.lua", import.meta.url));
let folder: string | undefined;
const bodyFiles = new Map<readonly string[], string>();

/** The generator of this machine: wrk where it is installed, which needs the least processor time, else autocannon. */
export function findGenerator(): { readonly name: string; readonly generate: Generator } {
  const wrk = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  const version = /wrk (\S+)/.exec(`${wrk.stdout}${wrk.stderr}`)?.[1];
  return version === undefined
    ? { name: "autocannon (in the bench's own process)", generate: byAutocannon }
    : { name: `wrk ${version}, one thread`, generate: byWrk };
}

async function byWrk(load: Load): Promise<LoadResult> {
  const { url, connections, seconds, bodies, pauseMs = 0 } = load;
  const bodyFile = bodies === undefined ? "" : fileOf(bodies);
  const { stdout, processorSeconds } = await run("wrk", [
    ...["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, url],
    ...["--", benchKey, bodyFile, String(pauseMs)],
  ]);
  const result = JSON.parse(stdout.slice(stdout.indexOf("RESULT") + 6)) as {
    readonly answers: number;
    readonly refused: number;
    readonly seconds: number;
    readonly p50: number;
    readonly p99: number;
    readonly socketErrors: number;
  };
  return {
    perSecond: (result.answers - result.refused) / result.seconds,
    refusedPerSecond: result.refused / result.seconds,
    answers: result.answers,
    p50: result.p50,
    p99: result.p99,
    socketErrors: result.socketErrors,
    generatorSeconds: processorSeconds,
  };
}

async function byAutocannon({ url, connections, seconds, bodies, pauseMs }: Load): Promise<LoadResult> {
  const headers = { "x-api-key": benchKey, "content-type": "application/json" };
  const requests = bodies?.map((body) => ({ method: "POST" as const, body, headers })) ?? [{ headers }];
  const rate = pauseMs === undefined ? {} : { overallRate: Math.round((connections * 1_000) / pauseMs) };
  const result = await autocannon({ url, connections, duration: seconds, requests, ...rate });
  const answers = result["2xx"] + result.non2xx;
  return {
    perSecond: result["2xx"] / seconds,
    refusedPerSecond: result.non2xx / seconds,
    answers,
    p50: result.latency.p50,
    p99: result.latency.p99,
    socketErrors: result.errors,
    generatorSeconds: undefined,
  };
}

function fileOf(bodies: readonly string[]): string {
  const known = bodyFiles.get(bodies);
  if (known !== undefined) return known;
  const file = join(bodyFolder(), `${bodyFiles.size}.ndjson`);
  writeFileSync(file, bodies.join("\n"));
  bodyFiles.set(bodies, file);
  return file;
}

/** The folder of the body files, which goes with this process. */
function bodyFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), "bankcheck-bench-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}
