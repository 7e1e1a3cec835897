import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** Maximum characters of a line; the service accepts far fewer. */
const maxLineLength = 10_000_000;

/** The answer to a line that is not a message. */
interface Refusal {
  readonly jsonrpc: "2.0";
  /** Null where the line does not say whose answer it is. */
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Returns the messages of a source, each a line. They end once the source has ended and every call is answered, for
 * clients that send all requests at once; lines that are not messages are refused.
 */
export function messagesUntilAnswered(
  source: NodeJS.ReadableStream,
  calls: ReadonlySet<Promise<unknown>>,
  refuse: (refusal: Refusal) => void,
): PassThrough {
  const messages = new PassThrough();
  /** The beginning of a line that has not arrived completely, or its absence if the line is too long. */
  let rest: string | undefined = "";
  const take = (line: string) => {
    if (line.trim() === "") return;
    const refused = refusalOf(line);
    if (refused === undefined) messages.write(`${line}\n`);
    else refuse(refused);
  };
  source.setEncoding("utf8").on("data", (piece: string) => {
    const lines = piece.split("\n");
    for (const [index, part] of lines.entries()) {
      if (index > 0) {
        take(rest ?? "");
        rest = "";
      }
      if (rest === undefined) continue;
      rest += part;
      if (rest.length <= maxLineLength) continue;
      refuse(refusal(null, -32_600, `A message has at most ${maxLineLength} characters.`));
      rest = undefined;
    }
  });
  source.once("end", async () => {
    take(rest ?? "");
    do {
      // Requests that came with the end are read first.
      await setImmediate();
      await Promise.allSettled(calls);
    } while (calls.size > 0);
    await setImmediate();
    messages.end();
  });
  return messages;
}

/** Source: JSON-RPC 2.0, section "Error object". */
function refusalOf(line: string): Refusal | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return refusal(null, -32_700, "The line is not JSON.");
  }
  try {
    parseJSONRPCMessage(message);
    return undefined;
  } catch {
    // The id of a response is that of a request of this side.
    const { id, method } = Object(message) as { readonly id?: unknown; readonly method?: unknown };
    const isKnown = method !== undefined && (typeof id === "string" || Number.isInteger(id));
    return refusal(
      isKnown ? (id as string | number) : null,
      -32_600,
      "The line is not a message of JSON-RPC 2.0.",
    );
  }
}

function refusal(id: Refusal["id"], code: number, message: string): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
