import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type RunningService, sharedService, testKey } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { commandEntry, startCommand } from "../support/start-command.ts";
import { words } from "../support/words.ts";
import { expectEnd } from "./expect-end.ts";
import { jsonLines } from "./printed.ts";
import { commerzbank as iban } from "./with-service.ts";

const { PATH = "" } = process.env;

/** The part of a tool's result that the tests read. */
interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: object;
}

/** An assistant that has started `bankcheck mcp` and speaks to it. */
async function assistant(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  mode: "legacy" | "auto" = "legacy",
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandEntry, "mcp", ...args],
    env: { PATH, ...environment },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  const call = async (name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as unknown as ToolResult;
  return { client, call, faults };
}

let service: RunningService;
let offline: Awaited<ReturnType<typeof assistant>>;
let online: typeof offline;
before(async () => {
  [service, offline] = await Promise.all([sharedService(), assistant()]);
  online = await assistant(["--url", service.url, "--timeout", "60000"], { BANKCHECK_KEY: testKey }, "auto");
});
after(async () => {
  await Promise.all([offline.client.close(), online.client.close()]);
});

test("six tools are offered, with the contract's schemas, to clients of both generations of the protocol", async () => {
  for (const { client } of [offline, online]) {
    const { tools } = await client.listTools();
    const names = words`check_iban check_account suggest_iban extract_ibans search_banks compose_iban`;
    assert.deepEqual(pluck(tools, "name"), names);
    assert.ok(JSON.stringify(tools).length < 9_000, "about 3,000 tokens");
    for (const { description, inputSchema, annotations } of tools) {
      assert.match(description ?? "", /^[A-Z][a-z]+s .*\.$/);
      assert.ok(Object.keys(inputSchema["properties"] ?? {}).length > 0);
      assert.equal(annotations?.readOnlyHint, true);
      assert.doesNotMatch(JSON.stringify(inputSchema), /errorCodes|published|Accept-Language|batch/);
    }
  }
  const page = readFileSync(new URL("../../src/cli/README.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
  const { tools } = await offline.client.listTools();
  for (const { name, inputSchema } of tools) {
    const [, , text = ""] = documented.find(([, tool]) => tool === name) ?? [];
    const fields = [...text.matchAll(/`(\w+)`/g)].map(([, field]) => field);
    assert.deepEqual(fields.toSorted(), Object.keys(inputSchema["properties"] ?? {}).toSorted(), name);
  }
  assert.equal(offline.client.getServerVersion()?.name, "bankcheck");
  assert.match(offline.client.getInstructions() ?? "", /status 1 means valid/);
});

const spanish = { country: "ES", bank_code: "2100", branch_code: "0418", account: "0200051332" };

/** Calls of every tool, where in the result to look, and what is there. */
const calls: readonly (readonly [
  tool: string,
  given: Record<string, unknown>,
  path: string,
  expected: unknown,
])[] = [
  ["check_iban", { iban: "IBAN: DE89-3704-0044-0532-0130-00" }, "data.bank", "Commerzbank"],
  ["check_iban", { iban, bic: "DEUTDEFFXXX" }, "status", 2],
  ["check_iban", { iban: "DE89370400440532013001" }, "data.reason", "iso_check_digits"],
  ["check_iban", { iban, explain: 1, reach: 1, lang: "de" }, "data.checks.0.check", "spelling"],
  ["check_iban", { iban, explain: true, reach: false }, "data.checks.0.check", "spelling"],
  ["check_account", { kontonummer: "532013000", bankleitzahl: "37040044", sepa: true }, "data.iban", iban],
  ["check_account", { kontonummer: "532013000", bankleitzahl: "37040044", sepa: 1 }, "data.iban", iban],
  ["suggest_iban", { iban: "DE89 3704 0044 0532 0130 0?" }, "data.suggestions.0.iban", iban],
  ["extract_ibans", { text: `Please pay to ${iban}.` }, "data.ibans.0.iban", iban],
  ["search_banks", { bankleitzahl: "37040044", max: 1 }, "results.items.0.bank", "Commerzbank"],
  ["compose_iban", spanish, "data.iban", "ES9121000418450200051332"],
];

test("every tool answers offline exactly as it does against a service", async () => {
  for (const [name, given, path, expected] of calls) {
    const here = await offline.call(name, given);
    assert.equal(here.isError, undefined, JSON.stringify(here));
    let found: unknown = here.structuredContent;
    for (const member of path.split(".")) found = Object(found)[member];
    assert.equal(found, expected, name);
    assert.deepEqual(JSON.parse(here.content[0]!.text), here.structuredContent);
    const there = await online.call(name, given);
    assert.deepEqual(there.structuredContent, here.structuredContent);
  }
});

test("refused arguments are results that name the fault, and a tool that does not exist is an error", async () => {
  const wrong: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ["check_iban", {}, /\(invalid_iban, field iban\)$/],
    ["check_iban", { iban, explain: [1] }, /field explain\)$/],
    ["check_iban", { iban, lang: ["de"] }, /field lang\)$/],
    ["check_iban", { ibans: [iban, iban] }, /field ibans\)$/],
    ["check_iban", { iban: 5 }, /^iban must be a text in quotation marks: .*\(invalid_iban, field iban\)$/],
    ["search_banks", { zip: 50447 }, /^zip must be a text .*field zip\)$/],
    ["check_account", { kontonummer: "1", bankleitzahl: 37040044 }, /^bankleitzahl must be a text /],
    ["extract_ibans", { text: 5 }, /^text must be a text /],
    ["compose_iban", { ...spanish, branch_code: 418 }, /^branch_code must be a text /],
    ["check_iban", { iban, bic: "X" }, /\(invalid_bic, field bic\)$/],
    ["check_iban", { iban, lang: "fr" }, /\(invalid_request, field lang\)$/],
    ["check_account", { kontonummer: "x" }, /^The account number .*field kontonummer\)$/],
    ["search_banks", {}, /\(missing_search_criteria\)$/],
    ["search_banks", { city: "y" }, /^The argument city .*; search_banks accepts name, .*field city\)$/],
    ["compose_iban", { country: "XX", bank_code: "1", account: "1" }, /field country\)$/],
    ["extract_ibans", { text: "x".repeat(200_000) }, /\(payload_too_large\)$/],
  ];
  for (const { call, client } of [offline, online]) {
    for (const [name, given, expected] of wrong) {
      const { isError, content } = await call(name, given);
      assert.equal(isError, true, name);
      assert.match(content[0]!.text, expected);
    }
    await assert.rejects(client.callTool({ name: "nope", arguments: {} }), /Tool nope not found/);
  }
});

const clientInfo = { name: "test", version: "1" };
const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };

/** A request of the protocol, or a notification where it has no number. */
const message = (id: number | undefined, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const callOf = (id: number, name: string, given: unknown) =>
  message(id, "tools/call", { name, arguments: given });

interface Answer {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: ToolResult;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The answers to lines of standard input, after which it ends, and what is said beside them. */
async function answersTo(lines: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const run = startCommand(["mcp"], environment, `${lines.join("\n")}\n`);
  const { stdout, stderr } = await expectEnd(run.result, 0);
  return { answers: jsonLines<Answer>(stdout.toString()), stderr };
}

test("nothing but the protocol is written to standard output, and every request is answered before the end", async () => {
  const requests = [
    message(0, "initialize", hello),
    message(1, "tools/list"),
    ...Array.from({ length: 20 }, (_, index) => callOf(2 + index, "check_iban", { iban })),
  ];
  const input = requests.toSpliced(1, 0, message(undefined, "notifications/initialized"));
  // It is set for other commands: no number may go there.
  const { answers, stderr } = await answersTo(input, { BANKCHECK_URL: service.url });
  assert.equal(answers.length, requests.length);
  for (const { jsonrpc, result } of answers) assert.ok(jsonrpc === "2.0" && result !== undefined);
  assert.match(stderr, /^Checks offline, in this process\.$/m);
  assert.deepEqual([...offline.faults, ...online.faults], []);
});

test("a subscription does not outlast the input", async () => {
  const prefix = "io.modelcontextprotocol";
  const _meta = {
    [`${prefix}/protocolVersion`]: "2026-07-28",
    [`${prefix}/clientInfo`]: clientInfo,
    [`${prefix}/clientCapabilities`]: {},
  };
  const params = { _meta, notifications: { toolsListChanged: true } };
  const { answers } = await answersTo([message(1, "subscriptions/listen", params)]);
  assert.match(JSON.stringify(answers), /subscriptions\/acknowledged/);
});

test("a service needs a key, and one that is away is a result with its error code", async () => {
  const keyless = startCommand(["mcp", "--url", service.url]);
  await expectEnd(keyless.result, 1, /^No API key: set BANKCHECK_KEY/);
  const args = ["--url", "http://127.0.0.1:1", "--retries", "0"];
  const { client, call } = await assistant(args, { BANKCHECK_KEY: testKey });
  const { isError, content } = await call("check_iban", { iban });
  assert.equal(isError, true);
  assert.match(content[0]!.text, /\(unreachable\)$/);
  await client.close();
});

test("what is not a message, or too long, is answered as JSON-RPC says, each fault in a sentence", async () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    callOf(100 + index, "extract_ibans", { text: `${iban} `.repeat(200) }),
  );
  const lines = [
    message(0, "initialize", hello),
    ...["", "{", "null", "[1]", "\u0000", "\ud800", "x".repeat(11_000_000)],
    ...['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', '{"jsonrpc":"2.0","id":"m","method":5}'],
    ...[message(7, "tools/call"), message(8, "initialize")],
    ...[callOf(5, "check_iban", [iban]), callOf(6, "toString", {}), ...many],
  ];
  const { answers: all, stderr } = await answersTo(lines);
  const answers = new Map(all.map((answer) => [answer.id, answer]));
  const codeOf = (id: string | number) => answers.get(id)?.error?.code;
  assert.deepEqual([5, 6, 7].map(codeOf), [-32_602, -32_602, -32_602]);
  assert.deepEqual([1, "m"].map(codeOf), [-32_600, -32_600]);
  const unnamed = all.flatMap(({ id, error }) => (id === null ? [error?.code] : []));
  assert.deepEqual(unnamed, [-32_700, -32_600, -32_600, -32_700, -32_700, -32_600]);
  for (const { error } of all) assert.doesNotMatch(error?.message ?? "", /\n|[{[]/);
  assert.match(answers.get(7)?.error?.message ?? "", /^Invalid tools\/call request: params: /);
  assert.equal(all.length, 1 + 4 + 2 + unnamed.length + many.length);
  assert.match(stderr, /^[^\n]+\n$/);
});
