import { shippedMix } from "../../test/support/shipped-directory.ts";
import type { LoadResult } from "../sample.ts";
import { type LoadKind, streamsOf } from "./loads.ts";
import { type Stream, sendLoad } from "./open-loop.ts";
import type { TestServer } from "./process.ts";
import { type Requests, requestsOf } from "./requests.ts";

let requests: Promise<Requests> | undefined;

export async function offer(
  { url }: TestServer,
  seconds: number,
  ...[kind, perSecond, connections]: [kind: LoadKind, perSecond: Stream["perSecond"], connections: number]
): Promise<LoadResult> {
  requests ??= shippedMix().then((mix) => requestsOf(mix));
  const streams = streamsOf(kind, perSecond, connections, await requests);
  return await sendLoad({ port: Number(new URL(url).port), seconds, streams });
}
