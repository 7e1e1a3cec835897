import { once } from "node:events";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { StreamLine, SummaryLine } from "../../../src/contract/api-types.ts";
import { until } from "../../faults/gate.ts";
import { type RunningService, testKey } from "../../service.ts";

/** The header of a body of lines. */
export const asText = { "Content-Type": "text/plain" };

/** A line of a stream's answer. */
export type AnswerLine = StreamLine & Partial<SummaryLine>;

/** Opens a stream whose body comes in chunks, and which may be cut off. */
export function openStream(
  { port }: Pick<RunningService, "port">,
  query = "",
  type = "text/plain",
  more: Readonly<Record<string, string>> = {},
) {
  return request({
    port,
    method: "POST",
    path: `/v1/stream${query}`,
    headers: { "X-API-Key": testKey, "Content-Type": type, "Transfer-Encoding": "chunked", ...more },
  }).on("error", () => {});
}

/** The answer to a stream as it begins; it may be cut off. */
export async function answerOf(open: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(open, "response")) as [IncomingMessage];
  return answer.on("error", () => {});
}

/** Opens a stream and sends the beginning of its body; returns it with its answer as that begins. */
export async function beginStream(
  service: Pick<RunningService, "port">,
  start: string,
  ...more: readonly [query?: string, type?: string, headers?: Readonly<Record<string, string>>]
) {
  const open = openStream(service, ...more);
  open.write(start);
  return { open, answer: await answerOf(open) };
}

/** Sends a whole body in the pieces given and returns the answer's lines. */
export async function stream(
  service: RunningService,
  pieces: readonly (string | Buffer)[],
  query = "",
  type = "text/plain",
): Promise<AnswerLine[]> {
  return linesOf((await answerTo(service, pieces, query, { "Content-Type": type })).text);
}

/** Sends a whole body in the pieces given and returns the whole answer. */
export async function answerTo(
  service: RunningService,
  pieces: readonly (string | Buffer)[],
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
}> {
  const sent = openStream(service, query, "text/csv", headers);
  sent.setNoDelay(true);
  for (const piece of pieces) {
    sent.write(piece);
    // Its own packet.
    await new Promise(setImmediate);
  }
  sent.end();
  const answer = await answerOf(sent);
  const bytes = await buffer(answer);
  return { status: answer.statusCode!, headers: answer.headers, text: bytes.toString(), bytes };
}

export function linesOf(answer: string): AnswerLine[] {
  return answer
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as AnswerLine);
}

/** Resolves when no stream is open: `max` new ones are accepted together. */
export const untilFree = (service: RunningService, max: number) =>
  until(async () => {
    const answers = Array.from({ length: max }, () => answerTo(service, [], "", asText));
    return (await Promise.all(answers)).every(({ status }) => status === 200);
  });
