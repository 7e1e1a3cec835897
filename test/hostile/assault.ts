import { once } from "node:events";
import { connect } from "node:net";
import type { Random } from "../support/random.ts";
import { mutatedRequest } from "./mutations.ts";

/** Answers to mutated requests: how often each status, and the first answers that violate the specification. */
export interface AssaultResult {
  readonly statuses: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

const connectionsAtOnce = 64;
const maxWrong = 5;

/** Statuses of the specification, and what the native layer says to what is not an HTTP/1.1. */
const specified = new Set([100, 200, 304, 400, 401, 403, 404, 405, 413, 431, 503, 505]);

/**
 * Sends mutated requests, each on a separate connection. A client waits `patienceMs` for more of an answer, since many
 * mutations make the service wait for more of the request.
 */
export async function assault(
  port: number,
  count: number,
  random: Random,
  patienceMs = 30,
): Promise<AssaultResult> {
  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const request = mutatedRequest(random);
      const answers = await answersTo(port, request, patienceMs);
      for (const [, code = ""] of answers.matchAll(/(?<=^|})HTTP\/1\.1 (\d{3})[^\r\n]*\r\n/g)) {
        statuses[code] = (statuses[code] ?? 0) + 1;
        if (!specified.has(Number(code)) && wrong.length < maxWrong) {
          wrong.push(`${JSON.stringify(request.toString("latin1"))} → ${answers.slice(0, 500)}`);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: connectionsAtOnce }, client));
  return { statuses, wrong };
}

/** Returns all bytes that a service sends on one connection until it closes it or pauses. */
async function answersTo(port: number, request: Uint8Array, patienceMs: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    socket.setTimeout(1);
  });
  socket.on("error", () => {});
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.write(request);
  await once(socket, "close");
  return received;
}
