import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type CallToolResult, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { BankcheckError } from "../../client/errors.ts";
import { RequestSender } from "../../client/sender.ts";
import { languages } from "../../contract/language.ts";
import { publishedField } from "../../contract/openapi/component-schemas.ts";
import { type PooledOperationName, routes } from "../../contract/routes.ts";
import type { FieldSchema } from "../../contract/schema/request-fields.ts";
import {
  type RequestSchema,
  type RequestSchemaName,
  requestSchemas,
} from "../../contract/schema/request-schemas.ts";
import { productVersion } from "../../settings.ts";
import { type ConnectionDefaults, type ConnectionOptions, connect, retryText } from "../connection.ts";
import { exitCodes } from "../program.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface ToolRow {
  readonly title: string;
  readonly description: string;
  readonly operation: PooledOperationName;
  readonly body: RequestSchemaName;
  /** Options of the request that an assistant always wants. */
  readonly always?: readonly string[];
  /** Options of the request that it may set, besides the language of the answer. */
  readonly options?: readonly string[];
}

/** The tools, by name. Their arguments are those of the routes that they call. */
const tools: Readonly<Record<string, ToolRow>> = {
  check_iban: {
    title: "Check an IBAN",
    description:
      "Checks an IBAN of any country, optionally with its BIC: structure, check digits, bank. Accepts it as people write it, and suggests corrections of a wrong one.",
    operation: "checkIbanByBody",
    body: "anyIbanBody",
    always: ["reason", "suggest", "lenient"],
    options: ["explain", "reach"],
  },
  check_account: {
    title: "Check a German account number",
    description:
      "Checks a German account number (Kontonummer) with its bank code (BLZ) by the bank's check-digit method; with sepa also returns its IBAN.",
    operation: "checkAccountByBody",
    body: "accountBody",
    always: ["reason", "suggest"],
    options: ["explain"],
  },
  suggest_iban: {
    title: "Correct an IBAN",
    description: "Corrects a wrong IBAN, or fills in unreadable characters, each written as a question mark.",
    operation: "suggest",
    body: "suggestBody",
  },
  extract_ibans: {
    title: "Find IBANs in a text",
    description:
      "Finds the IBANs, BICs and accounts in a text such as an invoice or e-mail, and checks each IBAN.",
    operation: "extract",
    body: "extractBody",
  },
  search_banks: {
    title: "Search banks",
    description:
      "Searches banks by name, town, postal code, bank code or BIC, in Germany unless countries are given.",
    operation: "searchByBody",
    body: "searchBody",
  },
  compose_iban: {
    title: "Compose an IBAN",
    description:
      "Composes the IBAN of an account from its country, bank code and account number, with the national check digits.",
    operation: "composeIban",
    body: "composeBody",
  },
};

/** The arguments of a tool by name, as JSON Schemas, and the request that a call of it becomes. */
function requestForm({ operation, body: bodyName, always = [], options: own = [] }: ToolRow) {
  const route = routes.find((candidate) => candidate.operation === operation)!;
  const body: RequestSchema = requestSchemas[bodyName];
  const query: RequestSchema = requestSchemas[route.query!.schema];
  const options = [...own, "lang"];
  const fields: Readonly<Record<string, FieldSchema>> = {
    ...body.properties,
    ...Object.fromEntries(options.map((option) => [option, query.properties[option]!])),
  };
  const described = Object.entries(fields).map(([name, field]) => [
    name,
    argumentOf(name, publishedField(field)),
  ]);
  return {
    properties: Object.fromEntries(described) as Readonly<Record<string, object>>,
    required: body.required ?? [],
    requestOf: (values: Arguments) => {
      const given = Object.fromEntries(
        Object.entries(values).map(([field, value]) => [field, sentValue(value)]),
      );
      const set = options.filter((option) => given[option] !== undefined && given[option] !== null);
      const search = new URLSearchParams([
        ...always.map((option): [string, string] => [option, "1"]),
        ...set.map((option): [string, string] => [option, queryText(given[option])]),
      ]);
      const sent = Object.fromEntries(Object.entries(given).filter(([field]) => field in body.properties));
      return { path: `${route.path}?${search}`, body: JSON.stringify(sent) };
    },
  };
}

/** The text of a value in a query; that of an array or object is never accepted. */
function queryText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Describes an argument without the words of HTTP; a switch, which is 0 or 1 there, is true or false. */
function argumentOf(name: string, schema: Readonly<Record<string, unknown>>): object {
  if (name === "lang") return { type: "string", enum: languages, description: "Language of the messages." };
  if (JSON.stringify(schema["enum"]) !== "[0,1]") return schema;
  const description = String(schema["description"]).replace(/ A batch then .*$/, "");
  return { type: "boolean", description: description.replace(/^1 \w/, (begin) => begin[2]!.toUpperCase()) };
}

function sentValue(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

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
  const calls = new Set<Promise<unknown>>();
  const transport = new Transport(inputUntilAnswered(process.stdin, calls), process.stdout);
  // Each answer that waits for a slow reader listens to it.
  process.stdout.setMaxListeners(0);
  const handle = serveStdio(() => toolServer(sender, calls), { transport, onerror: noteFault });
  await transport.closed;
  await handle.close();
  await connection.close();
  // What ends the transport may leave standard input open.
  process.stdin.destroy();
}

/** Closed when its input ends, its output fails, or a message is too long. */
class Transport extends StdioServerTransport {
  #isClosed = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.#isClosed = resolve;
  });

  override async close(): Promise<void> {
    await super.close();
    this.#isClosed();
  }
}

function noteFault(error: NodeJS.ErrnoException): void {
  if (error instanceof SyntaxError || error.name === "ZodError") {
    process.stderr.write("Ignored a line of the input that is not a message of the protocol.\n");
  } else if (error.code !== "EPIPE") {
    process.exitCode = exitCodes.unusable.code;
    process.stderr.write(`Ended: ${error.message}.\n`);
  }
}

function toolServer(sender: RequestSender, calls: Set<Promise<unknown>>): McpServer {
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
        const names = Object.keys(properties);
        const unknown = Object.keys(given).find((each) => !names.includes(each));
        if (unknown !== undefined) return unknownArgument(name, unknown, names);
        const call = callTool(sender, requestOf(given), signal).finally(() => calls.delete(call));
        calls.add(call);
        return call;
      },
    );
  }
  return server;
}

function unknownArgument(tool: string, name: string, names: readonly string[]): CallToolResult {
  const shown = name.slice(0, maxShownName);
  const accepted = `${tool} accepts ${names.join(", ")}`;
  return refused(`The argument ${shown} is not known; ${accepted}. (invalid_request, field ${shown})`);
}

/** Returns refusals of the service as results, so that the assistant can read them and correct its arguments. */
async function callTool(
  sender: RequestSender,
  request: { readonly path: string; readonly body: string },
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const read = (text: string) => {
      const answer = JSON.parse(text) as Record<string, unknown>;
      if (!Number.isInteger(answer["status"])) throw new TypeError("status is missing");
      return { text, answer };
    };
    const { text, answer } = await sender.send({ ...request, signal, read });
    return { content: [{ type: "text", text }], structuredContent: answer };
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
