import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { exchangeOnce, postBytes, type RawAnswer, requestBytes } from "../http/raw-socket.ts";
import { linesOf } from "../http/stream/client.ts";
import { testKey, tlsSettings } from "../service.ts";
import { pluck } from "../support/pluck.ts";
import { type MarkedService, startMarkedService } from "./marked-service.ts";
import { markers } from "./markers.ts";

let service: MarkedService;
before(async () => {
  service = await startMarkedService({ POOL_SIZE: "1", POOL_QUEUE: "63" });
});
after(async () => {
  await service.stop();
});
beforeEach(() => {
  service.gate.shut();
});

const iban = "DE89370400440532013000";
const batchOf = (...ibans: string[]) => postBytes("/v1/iban", JSON.stringify({ ibans }));
const check = (text: string) => requestBytes("GET", `/v1/iban/${text}`);
const ask = (bytes: Uint8Array): Promise<RawAnswer> => exchangeOnce(service.port, bytes);

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

test("a worker that dies in the middle of a task fails that task, and the next is done by its replacement", async () => {
  for (let round = 0; round < 3; round++) {
    expectError(await ask(check(markers.exit)), "checker_failed");
    assert.equal((await ask(check(iban))).status, 200);
  }
});

test("of tasks that travel together only the one in whose middle the worker dies fails", async () => {
  const answers = await askTogether([iban, iban, markers.exit, iban, iban].map(check));
  expectError(answers[2]!, "checker_failed");
  for (const index of [0, 1, 3, 4]) assert.equal(answers[index]?.status, 200, String(index));
});

test("of batches that travel together only the one in whose middle the worker dies fails", async () => {
  const answers = await askTogether([
    batchOf(iban),
    batchOf(iban, markers.exit),
    batchOf(iban, iban),
    check(iban),
  ]);
  expectError(answers[1]!, "checker_failed");
  for (const index of [0, 2, 3]) assert.equal(answers[index]?.status, 200, String(index));
  assert.equal((JSON.parse(answers[2]!.body.toString()) as { batch: { total: number } }).batch.total, 2);
});

test("tasks in two runs of one worker survive its death", async () => {
  // More than goes to a busy worker at once, so that a second run follows the one that dies.
  const requests = [markers.exit, ...Array<string>(40).fill(iban)].map(check);
  const [dead, ...others] = await askTogether(requests);
  expectError(dead!, "checker_failed");
  for (const answer of others) assert.equal(answer.status, 200);
});

test("each of several tasks that kill their worker fails alone", async () => {
  const answers = await askTogether([markers.exit, iban, markers.exit, markers.exit, iban].map(check));
  assert.deepEqual(pluck(answers, "status"), [500, 200, 500, 500, 200]);
});

test("a task that throws fails alone, and its worker continues", async () => {
  const answers = await askTogether([iban, markers.throws, iban].map(check));
  expectError(answers[1]!, "checker_failed");
  assert.equal(answers[0]?.status, 200);
  assert.equal(answers[2]?.status, 200);
  expectError(await ask(batchOf(iban, markers.throws)), "checker_failed");
  assert.equal((await ask(batchOf(iban))).status, 200);
});

test("what a task threw is in the log, with its request and its stack and without the account", async () => {
  const thrown = async (bytes: Uint8Array) => {
    const before = service.log().length;
    expectError(await ask(bytes), "checker_failed");
    const line = service.log().slice(before).split("\n", 1)[0]!;
    assert.ok(!line.includes(markers.throws), line);
    return JSON.parse(line) as Record<string, unknown>;
  };
  const headers = ["Content-Type: text/csv"];
  const stream = requestBytes("POST", "/v1/stream", { headers, body: `iban\n${markers.throws}\n` });
  for (const bytes of [check(markers.throws), batchOf(iban, markers.throws), stream]) {
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
  const { summary } = answered.pop()!;
  assert.deepEqual(
    pluck(answered, "line"),
    Array.from({ length: 6_000 }, (_, index) => index + 1),
  );
  assert.equal(summary?.lines, 6_000);
  assert.equal(summary.valid, 5_999);
  assert.equal(summary.next_line, undefined);
});

test("a block that keeps killing workers cuts its stream off after the lines before it", async () => {
  const text = await streamed(markers.exit);
  const answered = linesOf(text.slice(0, text.lastIndexOf("\n") + 1));
  assert.ok(answered.length > 0 && answered.length < 3_000, String(answered.length));
  for (const [index, { line }] of answered.entries()) assert.equal(line, index + 1);
  assert.match(service.log(), /"request_id":"[^"]+",.*"msg":"a stream was cut off because a block failed"/);
  assert.equal((await ask(check(iban))).status, 200);
});

test("a stream whose first block fails is answered with an error", async () => {
  const headers = ["Content-Type: text/csv"];
  expectError(
    await ask(requestBytes("POST", "/v1/stream", { headers, body: `iban\n${markers.throws}\n` })),
    "checker_failed",
  );
});
