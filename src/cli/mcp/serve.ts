import { type CallToolResult, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { BankcheckError } from "../../client/errors.ts";
import { RequestSender } from "../../client/sender.ts";
import { productVersion } from "../../settings.ts";
import { type ConnectionDefaults, type ConnectionOptions, connect, retryText } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { serveLines } from "./lines.ts";
import { type Arguments, requestForm, tools } from "./tools.ts";

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
  const connection = await connect(options, defaults, (notice) => {
    process.stderr.write(`${retryText(notice)}\n`);
  });
  process.stderr.write(`Checks ${offline ? "offline, in this process" : `at ${given.url}`}.\n`);
  const sender = new RequestSender(connection.options);
  await serveLines((transport) =>
    serveStdio(() => toolServer(sender), { transport, onerror: noteFault }),
  ).catch(noteFault);
  await connection.close();
}

function noteFault(error: Error): void {
  process.exitCode = exitCodes.unusable.code;
  process.stderr.write(`Ended: ${error.message}.\n`);
}

function toolServer(sender: RequestSender): McpServer {
  const server = new McpServer(
    { name: "bankcheck", title: "bankcheck", version: productVersion },
    { capabilities: { tools: { listChanged: false } }, instructions },
  );
  for (const [name, row] of Object.entries(tools)) {
    const { title, description } = row;
    const { properties, required, requestOf } = requestForm(row);
    const inputSchema = fromJsonSchema<Arguments>(
      { type: "object", properties, required, additionalProperties: false },
      // The service checks the values, and says more about a wrong one.
      { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
    );
    const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
    server.registerTool(
      name,
      { title, description, inputSchema, annotations },
      (given, { mcpReq: { signal } }) => {
        const unknown = Object.keys(given).find((each) => !Object.hasOwn(properties, each));
        if (unknown === undefined) return callTool(sender, requestOf(given), signal);
        const shown = unknown.slice(0, maxShownName);
        const accepted = `${name} accepts ${Object.keys(properties).join(", ")}`;
        return refused(`The argument ${shown} is not known; ${accepted}. (invalid_request, field ${shown})`);
      },
    );
  }
  return server;
}

/** Returns refusals of the service as results, so that the assistant can read them and correct its arguments. */
async function callTool(
  sender: RequestSender,
  request: { readonly path: string; readonly body: string },
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const read = (text: string): CallToolResult => {
      const answer = JSON.parse(text) as Record<string, unknown>;
      if (!Number.isInteger(answer["status"])) throw new TypeError("status is missing");
      return { content: [{ type: "text", text }], structuredContent: answer };
    };
    return await sender.send({ ...request, signal, read });
  } catch (error) {
    if (!(error instanceof BankcheckError)) throw error;
    const { code, message, field } = error;
    const where = field === undefined ? code : `${code}, field ${field}`;
    return refused(`${message} (${where})`);
  }
}

/** Maximum characters of an unknown argument's name that an error repeats. */
const maxShownName = 40;

function refused(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
