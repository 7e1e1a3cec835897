import {
  InMemoryTransport,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import type { StdioServerHandle } from "@modelcontextprotocol/server/stdio";
import { Change } from "../../client/change.ts";

/** Maximum characters of a line; the service accepts far fewer. */
const maxLineLength = 10_000_000;

/**
 * Serves standard input and output, whose lines are messages; others are refused.
 *
 * Resolves once the input has ended and every request is answered, for clients that send all requests at once.
 */
export async function serveLines(serve: (transport: Transport) => StdioServerHandle): Promise<void> {
  const [client, server] = InMemoryTransport.createLinkedPair();
  /** Requests without an answer, by id. */
  const open = new Set<unknown>();
  const answers = new Change();
  client.onmessage = (message) => {
    if (!("method" in message)) {
      open.delete(message.id);
      answers.happened();
    }
    if (!("error" in message)) return write(message);
    const { error } = message;
    write({ ...message, error: { ...error, message: inOneSentence(error.message) } });
  };
  client.onclose = () => {
    process.stdin.destroy();
    open.clear();
    answers.happened();
  };
  const handle = serve(server);
  for await (const line of lines()) {
    const message = line.trim() === "" ? undefined : messageOf(line);
    if (message === undefined) continue;
    // A subscription is only answered when it ends.
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") open.add(message.id);
    // A cancelled request gets no answer.
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      open.delete(message.params?.["requestId"]);
    await client.send(message);
  }
  while (open.size > 0) await answers.next();
  await handle.close();
}

/** The lines of standard input; one that is too long is refused and left out. */
async function* lines(): AsyncGenerator<string, void, void> {
  /** The beginning of a line that has not arrived completely; undefined if the line is too long. */
  let rest: string | undefined = "";
  for await (const piece of process.stdin.setEncoding("utf8") as AsyncIterable<string>) {
    for (const [index, part] of piece.split("\n").entries()) {
      if (index > 0) {
        yield rest ?? "";
        rest = "";
      }
      if (rest === undefined) continue;
      rest += part;
      if (rest.length <= maxLineLength) continue;
      refuse(null, -32_600, `A message has at most ${maxLineLength} characters.`);
      rest = undefined;
    }
  }
  yield rest ?? "";
}

/** Reads a line, or refuses it. Source: JSON-RPC 2.0, section "Error object". */
function messageOf(line: string): JSONRPCMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
    return parseJSONRPCMessage(message);
  } catch {
    if (message === undefined) return refuse(null, -32_700, "The line is not JSON.");
    // The id of a response is that of a request of this side.
    const { id, method } = Object(message) as { readonly id?: unknown; readonly method?: unknown };
    const isKnown = method !== undefined && (typeof id === "string" || Number.isInteger(id));
    return refuse(isKnown ? id : null, -32_600, "The line is not a message of JSON-RPC 2.0.");
  }
}

function refuse(id: unknown, code: number, message: string): undefined {
  write({ jsonrpc: "2.0", id, error: { code, message } });
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Says the first of the faults that the library's validator lists as JSON, and where it is. */
function inOneSentence(message: string): string {
  const [, begin = "", list] = /^(.*: )?(\[\s*\{.*\}\s*\])$/s.exec(message) ?? [];
  if (list === undefined) return message;
  const [fault] = JSON.parse(list) as [{ path: string[]; message: string }];
  return `${begin}${fault.path.join(".")}: ${fault.message}`;
}
