import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newFolder } from "../../test/support/folders.ts";
import { shippedMix } from "../../test/support/shipped-directory.ts";
import type { LoadResult } from "../sample.ts";
import { sendLoad, type Times } from "./open-loop.ts";
import { benchKey, getRequest, makeBodies, postRequest } from "./requests.ts";
import { run } from "./run-command.ts";

/** A closed loop: a fixed number of connections that each send the next request when the last is answered. */
export interface ClosedLoop {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** IBANs in each of the batches that are posted in turn; a GET where undefined. */
  readonly batch: number | undefined;
}

export interface Generator {
  readonly name: string;
  /** The time nearest to the one asked for that it can measure, in seconds. */
  secondsFor(seconds: number): number;
  send(load: ClosedLoop): Promise<LoadResult>;
}

/**
 * The generator for the closed loops of this machine: wrk where it is installed, since a single check costs it half the
 * processor time, else that of the open loop.
 */
export function findGenerator(): Generator {
  const wrk = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  const version = /wrk (\S+)/.exec(`${wrk.stdout}${wrk.stderr}`)?.[1];
  return version === undefined
    ? {
        name: "the bench's own generator, since wrk is not installed",
        secondsFor: (seconds) => seconds,
        send: byOwnProcess,
      }
    : { name: `wrk ${version}, one thread`, secondsFor: Math.ceil, send: byWrk };
}

const script = fileURLToPath(new URL("wrk.lua", import.meta.url));
const folder = newFolder();

async function byWrk({ url, connections, seconds, batch }: ClosedLoop): Promise<LoadResult> {
  const { stdout, processorSeconds } = await run("wrk", [
    ...["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, url],
    ...["--", benchKey, batch === undefined ? "" : await bodyFile(batch)],
  ]);
  const { answers, refused, elapsed, ...figures } = JSON.parse(
    stdout.slice(stdout.indexOf("RESULT") + 6),
  ) as Times & Readonly<Record<"answers" | "refused" | "elapsed" | "failures", number>>;
  return {
    ...figures,
    answers,
    sent: answers / elapsed,
    goodput: (answers - refused) / elapsed,
    refused: refused / answers,
    generatorSeconds: processorSeconds,
  };
}

async function byOwnProcess({ url, connections, seconds, batch }: ClosedLoop): Promise<LoadResult> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const to = { host, key: benchKey, path: "" };
  const path = pathname + search;
  const bodies = batch === undefined ? undefined : readFileSync(await bodyFile(batch), "utf8").split("\n");
  const requests = bodies?.map((body) => postRequest(path, body, to)) ?? [getRequest(path, to)];
  const streams = [{ name: "", connections, perSecond: "closed", requests }] as const;
  return await sendLoad({ host: hostname, port: Number(port), seconds, streams });
}

/** The file of the bodies of a size, one a line, which is made once. */
async function bodyFile(batch: number): Promise<string> {
  const file = join(folder, `batches-of-${batch}.ndjson`);
  if (!existsSync(file)) writeFileSync(file, makeBodies(await shippedMix(), batch).join("\n"));
  return file;
}
