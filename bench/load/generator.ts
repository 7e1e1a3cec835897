import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../command.ts";
import type { LoadResult } from "../sample.ts";
import { resultOf, sendLoad } from "./open-loop.ts";
import { benchKey, getRequest, postRequest } from "./requests.ts";
import { run } from "./run-command.ts";

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

/** Runs one load to its end. */
export type Generator = (load: Load) => Promise<LoadResult>;

const script = fileURLToPath(new URL("wrk.lua", import.meta.url));
let folder: string | undefined;
const bodyFiles = new Map<readonly string[], string>();

/** The generator of this machine: wrk where it is installed, which needs the least processor time, else that of the open loop. */
export function findGenerator(): { readonly name: string; readonly generate: Generator } {
  const wrk = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  const version = /wrk (\S+)/.exec(`${wrk.stdout}${wrk.stderr}`)?.[1];
  return version === undefined
    ? { name: "the bench's own generator, since wrk is not installed", generate: byOwnProcess }
    : { name: `wrk ${version}, one thread`, generate: byWrk };
}

async function byWrk(load: Load): Promise<LoadResult> {
  const { url, connections, seconds, bodies, pauseMs = 0 } = load;
  const bodyFile = bodies === undefined ? "" : fileOf(bodies);
  const { stdout, processorSeconds } = await run("wrk", [
    // wrk takes whole seconds only.
    ...["-t1", `-c${connections}`, `-d${Math.ceil(seconds)}s`, "--timeout", "10s", "-s", script, url],
    ...["--", benchKey, bodyFile, String(pauseMs)],
  ]);
  const {
    answers,
    refused,
    seconds: elapsed,
    failures,
    ...times
  } = JSON.parse(stdout.slice(stdout.indexOf("RESULT") + 6)) as Readonly<
    Record<"answers" | "refused" | "seconds" | "failures" | "p50" | "p90" | "p99" | "p999" | "max", number>
  >;
  return {
    ...times,
    answers,
    failures,
    sent: answers / elapsed,
    goodput: (answers - refused) / elapsed,
    refused: refused / answers,
    generatorSeconds: processorSeconds,
  };
}

async function byOwnProcess({ url, connections, seconds, bodies, pauseMs }: Load): Promise<LoadResult> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const to = { host, key: benchKey, path: "" };
  const path = pathname + search;
  const requests = bodies?.map((body) => postRequest(path, body, to)) ?? [getRequest(path, to)];
  const perSecond = pauseMs === undefined ? "closed" : (connections * 1_000) / pauseMs;
  const stream = { name: "", connections, perSecond, isRandom: pauseMs !== undefined, requests } as const;
  return resultOf(await sendLoad({ host: hostname, port: Number(port), seconds, streams: [stream] }));
}

function fileOf(bodies: readonly string[]): string {
  const known = bodyFiles.get(bodies);
  if (known !== undefined) return known;
  folder ??= temporaryFolder();
  const file = join(folder, `${bodyFiles.size}.ndjson`);
  writeFileSync(file, bodies.join("\n"));
  bodyFiles.set(bodies, file);
  return file;
}
