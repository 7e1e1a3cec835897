import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";

/** Maximum characters of a line; the service accepts far fewer. */
const maxLineLength = 10_000_000;

/**
 * Messages as lines of standard input and output; lines that are not messages are refused.
 *
 * Closes once the input has ended and every request is answered, for clients that send all requests at once.
 */
export class LineTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  /** Requests without an answer, by id. */
  readonly #open = new Set<unknown>();
  #hasEnded = false;
  #setClosed = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.#setClosed = resolve;
  });

  async start(): Promise<void> {
    this.#readLines()
      .catch((error) => this.onerror?.(error))
      .finally(() => {
        this.#hasEnded = true;
        this.#closeIfAnswered();
      });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("error" in message)) await write(message);
    else {
      const { error } = message;
      await write({ ...message, error: { ...error, message: inOneSentence(error.message) } });
    }
    if ("method" in message) return;
    this.#open.delete(message.id);
    this.#closeIfAnswered();
  }

  async close(): Promise<void> {
    process.stdin.destroy();
    this.onclose?.();
    this.#setClosed();
  }

  #closeIfAnswered(): void {
    if (this.#hasEnded && this.#open.size === 0) void this.close();
  }

  async #readLines(): Promise<void> {
    /** The beginning of a line that has not arrived completely; undefined if the line is too long. */
    let rest: string | undefined = "";
    for await (const piece of process.stdin.setEncoding("utf8") as AsyncIterable<string>) {
      for (const [index, part] of piece.split("\n").entries()) {
        if (index > 0) {
          this.#take(rest ?? "");
          rest = "";
        }
        if (rest === undefined) continue;
        rest += part;
        if (rest.length <= maxLineLength) continue;
        refuse(null, -32_600, `A message has at most ${maxLineLength} characters.`);
        rest = undefined;
      }
    }
    this.#take(rest ?? "");
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const message = messageOf(line);
    if (message === undefined) return;
    // A subscription is only answered when it ends.
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#open.add(message.id);
    // A cancelled request gets no answer.
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      this.#open.delete(message.params?.["requestId"]);
    this.onmessage?.(message);
  }
}

/** Reads a line, or refuses it. Source: JSON-RPC 2.0, section "Error object". */
function messageOf(line: string): JSONRPCMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return refuse(null, -32_700, "The line is not JSON.");
  }
  try {
    return parseJSONRPCMessage(message);
  } catch {
    // The id of a response is that of a request of this side.
    const { id, method } = Object(message) as { readonly id?: unknown; readonly method?: unknown };
    const isKnown = method !== undefined && (typeof id === "string" || Number.isInteger(id));
    return refuse(isKnown ? id : null, -32_600, "The line is not a message of JSON-RPC 2.0.");
  }
}

function refuse(id: unknown, code: number, message: string): undefined {
  void write({ jsonrpc: "2.0", id, error: { code, message } });
}

function write(message: object): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve()));
}

/** Says the first of the faults that the library's validator lists as JSON, and where it is. */
function inOneSentence(message: string): string {
  const [, begin = "", list] = /^(.*: )?(\[\s*\{.*\}\s*\])$/s.exec(message) ?? [];
  if (list === undefined) return message;
  const [fault] = JSON.parse(list) as readonly {
    readonly path: readonly string[];
    readonly message: string;
  }[];
  return `${begin}${fault!.path.join(".")}: ${fault!.message}`;
}
