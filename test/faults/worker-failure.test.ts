import assert from "node:assert/strict";
import { test } from "node:test";
import type { HealthAnswer } from "../../src/client/index.ts";
import { expectError } from "../contract/error-table.ts";
import { getJson } from "../http/calls.ts";
import { type RawAnswer, requestBytes } from "../http/raw-socket.ts";
import { linesOf } from "../http/stream/client.ts";
import { testKey, tlsSettings } from "../service.ts";
import { until } from "./gate.ts";
import { batchOf, checkOf, useMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

const service = useMarkedService({ POOL_QUEUE: "63" });

const iban = "DE89370400440532013000";

/** Holds the only worker at the gate, queues the requests behind it so that they travel together, and lets go. */
async function askTogether(requests: readonly Uint8Array[]): Promise<RawAnswer[]> {
  const holder = await service.check(markers.gate);
  await service.inside(1);
  const connections = [];
  for (const request of requests) connections.push(await service.send(request));
  await service.inside(1 + requests.length);
  service.gate.open();
  const answers = await Promise.all(connections.map((connection) => connection.answer()));
  for (const connection of [holder, ...connections]) connection.destroy();
  await service.inside(0);
  return answers;
}

const many = Array<string>(40).fill(iban);
const { exit, throws } = markers;
const together: Readonly<Record<string, readonly Uint8Array[]>> = {
  "tasks, the worker of one of which dies": [iban, iban, exit, iban, iban].map(checkOf),
  "batches, the worker of one of which dies": [
    batchOf(iban),
    batchOf(iban, exit),
    batchOf(iban, iban),
    checkOf(iban),
  ],
  // More than goes to a busy worker at once.
  "a task whose worker dies before many others": [exit, ...many].map(checkOf),
  "several tasks that kill their worker": [exit, iban, exit, exit, iban].map(checkOf),
  "a task and a batch that throw": [checkOf(iban), checkOf(throws), batchOf(iban, throws), batchOf(iban)],
};

for (const [what, requests] of Object.entries(together)) {
  test(`of what travels together only that fails whose task does: ${what}`, async () => {
    const answers = await askTogether(requests);
    for (const [index, answer] of answers.entries()) {
      const text = Buffer.from(requests[index]!).toString();
      if (text.includes(exit) || text.includes(throws)) expectError(answer, "checker_failed");
      else assert.equal(answer.status, 200, `${index}`);
      // Each has its own answer.
      assert.equal(answer.body.includes('"total":2'), text.includes(`"${iban}","${iban}"`));
    }
  });
}

test("what a task threw is in the log, with its request and its stack and without the account", async () => {
  const thrown = async (bytes: Uint8Array) => {
    const before = service.log().length;
    expectError(await service.ask(bytes), "checker_failed");
    const line = service.log().slice(before).split("\n", 1)[0]!;
    assert.ok(!line.includes(markers.throws), line);
    return JSON.parse(line) as Record<string, unknown>;
  };
  const headers = ["Content-Type: text/csv"];
  const stream = requestBytes("POST", "/v1/stream", { headers, body: `iban\n${markers.throws}\n` });
  for (const bytes of [checkOf(markers.throws), batchOf(iban, markers.throws), stream]) {
    const { status, task, stack, request_id, msg } = await thrown(bytes);
    assert.deepEqual([status, task, msg], [500, "kind 99", "request failed"]);
    assert.match(String(stack), /^Error: no task has the kind #\n\s+at runTask /);
    assert.match(String(request_id), /^\S+$/);
  }
});

/** Streams many lines, one of which holds a marker; returns the received answer, whole or cut off. */
async function streamed(marker: string): Promise<string> {
  const lines = Array.from({ length: 6_000 }, (_, number) => (number === 3_000 ? marker : iban));
  const scheme = tlsSettings === undefined ? "http" : "https";
  const answer = await fetch(`${scheme}://127.0.0.1:${service.port}/v1/stream?fields=status`, {
    method: "POST",
    headers: { "X-API-Key": testKey, "Content-Type": "text/plain" },
    body: lines.join("\n"),
  });
  let text = "";
  try {
    for await (const piece of answer.body!) text += Buffer.from(piece).toString("latin1");
  } catch {
    // It was cut off.
  }
  return text;
}

test("a worker that dies in a block of a stream loses and repeats no line of it", async () => {
  const answered = linesOf(await streamed(markers.exitOnce));
  const { lines, valid, next_line } = answered.pop()!.summary!;
  for (const [index, { line }] of answered.entries()) assert.equal(line, index + 1);
  assert.deepEqual([answered.length, lines, valid, next_line], [6_000, 6_000, 5_999, undefined]);
});

test("a block that keeps killing workers cuts its stream off after the lines before it", async () => {
  const text = await streamed(markers.exit);
  const answered = linesOf(text.slice(0, text.lastIndexOf("\n") + 1));
  assert.ok(answered.length > 0 && answered.length < 3_000, String(answered.length));
  for (const [index, { line }] of answered.entries()) assert.equal(line, index + 1);
  assert.match(service.log(), /"request_id":"[^"]+",.*"msg":"a stream was cut off because a block failed"/);
  assert.equal((await service.ask(checkOf(iban))).status, 200);
});

test("a kind of task that keeps killing its worker fails alone, the others continue, and it is tried again", async () => {
  let next: RawAnswer;
  // Where the eight have taken longer than the rest of 2 s, the next one is the trial.
  do {
    for (let crash = 0; crash < 8; crash++) expectError(await service.ask(checkOf(exit)), "checker_failed");
    next = await service.ask(checkOf(iban));
  } while (next.status === 200);
  expectError(next, "checker_failed");
  assert.equal((await service.ask(batchOf(iban))).status, 200, "a batch is another kind of task");
  const ready = await service.ask(requestBytes("GET", "/service/ready"));
  assert.equal(ready.status, 200, "a balancer keeps sending the other kinds");
  const { pool } = await getJson<HealthAnswer>(service, "/service/health");
  assert.ok(pool!.failing_task_kinds <= 1, "none once the trial is due");
  await until(async () => (await service.ask(checkOf(iban))).status === 200);
  assert.equal((await service.ask(checkOf(iban))).status, 200);
});
