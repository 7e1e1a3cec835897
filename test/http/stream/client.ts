import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { type RunningService, testKey } from "../../service.ts";

/** A line of a stream's answer. */
export interface AnswerLine {
  readonly line?: number;
  readonly id?: string | number;
  readonly iban?: string;
  readonly valid?: boolean;
  readonly status?: number;
  readonly error?: { readonly code: string };
  readonly summary?: {
    readonly lines: number;
    readonly valid: number;
    readonly invalid: number;
    readonly errors: number;
    readonly reasons: Readonly<Record<string, number>>;
    readonly next_line?: number;
  };
}

/** Opens a stream whose body comes in chunks. */
export function openStream({ port }: RunningService, query = "", type = "text/plain") {
  return request({
    port,
    method: "POST",
    path: `/v1/stream${query}`,
    headers: { "X-API-Key": testKey, "Content-Type": type, "Transfer-Encoding": "chunked" },
  });
}

/** Sends a whole body in the pieces given and returns the answer's lines. */
export async function stream(
  service: RunningService,
  pieces: readonly (string | Buffer)[],
  query = "",
  type = "text/plain",
): Promise<AnswerLine[]> {
  const sent = openStream(service, query, type);
  sent.setNoDelay(true);
  for (const piece of pieces) {
    sent.write(piece);
    // Its own packet.
    await new Promise(setImmediate);
  }
  sent.end();
  const [answer] = await once(sent, "response");
  return linesOf(await text(answer));
}

/** The lines of an answer. */
export function linesOf(answer: string): AnswerLine[] {
  return answer
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as AnswerLine);
}
