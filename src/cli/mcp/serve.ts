import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { BankcheckError } from "../../client/errors.ts";
import { senderOptions } from "../../client/options.ts";
import { RequestSender } from "../../client/sender.ts";
import { productVersion } from "../../process/facts.ts";
import { type ConnectionDefaults, type ConnectionOptions, connect, retryText } from "../connection.ts";
import { characters } from "../fetch-over-http.ts";
import { type Tool, tools } from "./tools.ts";

const instructions =
  "Checks bank details: IBANs of all countries, BICs, and German account numbers with their bank code. " +
  "status 1 means valid; data.reason says why a number is not; data.suggestions lists what was probably meant. " +
  "No check shows whether an account exists or whose it is. Unknown facts are null.";

/** Serves the tools until standard input ends; nothing but the protocol is written to standard output. */
export async function serveTools(
  given: Partial<ConnectionOptions>,
  defaults: ConnectionDefaults,
): Promise<void> {
  const offline = given.offline === true || given.url === undefined;
  const options = { ...(given as ConnectionOptions), offline };
  const connection = await connect(options, defaults, characters, (notice) => {
    process.stderr.write(`${retryText(notice)}\n`);
  });
  process.stderr.write(`Checks ${offline ? "offline, in this process" : `at ${given.url}`}.\n`);
  const sender = new RequestSender(senderOptions(connection.options));
  const calls = new Set<Promise<unknown>>();
  const input = inputUntilAnswered(process.stdin, calls);
  const transport = new StdioServerTransport(input, process.stdout);
  const handle = serveStdio(() => toolServer(sender, calls), { transport });
  await once(input, "close");
  await handle.close();
  await connection.close();
}

function toolServer(sender: RequestSender, calls: Set<Promise<unknown>>): Server {
  const server = new Server(
    { name: "bankcheck", title: "bankcheck", version: productVersion },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.values()].map(listed) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${params.name}.`);
    }
    const call = callTool(sender, tool, params.arguments ?? {}, signal).finally(() => calls.delete(call));
    calls.add(call);
    return call;
  });
  return server;
}

function listed({ name, title, description, inputSchema, outputSchema }: Tool) {
  const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

/** What the service refuses is a result that the assistant reads, so that it can mend its arguments. */
async function callTool(
  sender: RequestSender,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const read = (text: string) => ({ text, answer: JSON.parse(text) as Record<string, unknown> });
    const { text, answer } = await sender.send({ ...tool.requestOf(given), signal, read });
    return { content: [{ type: "text", text }], structuredContent: answer };
  } catch (error) {
    if (!(error instanceof BankcheckError)) throw error;
    const { code, message, field } = error;
    const where = field === undefined ? code : `${code}, field ${field}`;
    return { content: [{ type: "text", text: `${message} (${where})` }], isError: true };
  }
}

/** Input that ends once its source has ended and every call is answered, for clients that send all requests at once. */
function inputUntilAnswered(
  source: NodeJS.ReadableStream,
  calls: ReadonlySet<Promise<unknown>>,
): PassThrough {
  const input = new PassThrough();
  source.pipe(input, { end: false });
  source.once("end", async () => {
    do {
      // Requests that came with the end are read first.
      await setImmediate();
      await Promise.allSettled(calls);
    } while (calls.size > 0);
    await setImmediate();
    input.end();
  });
  return input;
}
