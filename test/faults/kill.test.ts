import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { readUsage } from "../http/calls.ts";
import { postBytes, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { type RunningService, startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { randomOf } from "../support/random.ts";

/** `KILL_ROUNDS=50` is the long form. */
const rounds = Number(process.env["KILL_ROUNDS"] ?? 4);
const clients = 6;
const batch = 10;
const longestLife = 600;

/** A write every 100 ms; a busy machine may add to it by being late with the timer, the write or the kill. */
const usualLoss = 200;
const longestLoss = 20_000;
/** From this many lives on the usual loss is distinct from the noise. */
const enoughLives = 20;

const random = randomOf(11);

const iban = "DE89370400440532013000";
const single = requestBytes("GET", `/v1/iban/${iban}`);
const many = postBytes("/v1/iban", JSON.stringify({ ibans: Array(batch).fill(iban) }));

const stateDir = newFolder();

/** The outcome of one life of the service, as its clients saw it. */
interface Life {
  /** Checks sent, answered or not. */
  sent: number;
  /** Answered checks with the time of the answer. */
  readonly answers: { readonly at: number; readonly checks: number }[];
  /** The most the service said that was counted. */
  reported: number;
}

const totalOf = async ({ port }: RunningService) => (await readUsage(port)).key.total;

async function client(port: number, life: Life, number: number): Promise<void> {
  const connection = await RawConnection.open(port);
  const checks = number % 2 === 0 ? 1 : batch;
  for (;;) {
    life.sent += checks;
    const answer = await connection.ask(checks === 1 ? single : many).catch(() => undefined);
    if (answer === undefined) return;
    if (answer.status === 200) life.answers.push({ at: performance.now(), checks });
  }
}

/** How far back from the kill the answers reach that make up a loss, in milliseconds. */
function reach({ answers }: Life, lost: number, killed: number): number {
  if (lost <= 0) return 0;
  let left = lost;
  for (const { at, checks } of answers.toReversed()) {
    left -= checks;
    if (left <= 0) return killed - at;
  }
  return Number.POSITIVE_INFINITY;
}

/** Asks for the usage now and then until the service is gone; seldom, since every question has it written. */
async function listen(service: RunningService, life: Life): Promise<void> {
  for (;;) {
    const total = await totalOf(service).catch(() => undefined);
    if (total === undefined) return;
    await delay(random(longestLife));
    life.reported = Math.max(life.reported, total);
  }
}

test(`killed ${rounds} times, a service loses no more than it has just answered, counts nothing twice, and opens its store`, async (t) => {
  let before = 0;
  const losses: number[] = [];
  let service = await startQuickService({ STATE_DIR: stateDir });
  for (let round = 0; round < rounds; round++) {
    const life: Life = { sent: 0, answers: [], reported: 0 };
    const busy = Array.from({ length: clients }, (_, number) => client(service.port, life, number));
    const listening = listen(service, life);
    await delay(random(longestLife));
    const exited = once(service.child, "exit");
    const killed = performance.now();
    service.child.kill("SIGKILL");
    await exited;
    await Promise.all([...busy, listening]);

    service = await startQuickService({ STATE_DIR: stateDir });
    const total = await totalOf(service);
    const stored = total - before;
    const answered = life.answers.reduce((sum, { checks }) => sum + checks, 0);
    const far = reach(life, answered - stored, killed);
    t.diagnostic(`answered ${answered}, stored ${stored}, loss reaches ${far.toFixed(0)} ms back`);
    assert.ok(stored <= life.sent, `${stored} stored, but only ${life.sent} sent`);
    assert.ok(total >= life.reported, `${total} stored, but ${life.reported} reported to a client`);
    assert.ok(far <= longestLoss, `what was answered ${far} ms before the kill is lost`);
    losses.push(far);
    before = total;
  }
  assert.equal(await service.stop(), 0);
  losses.sort((one, other) => one - other);
  const median = losses[losses.length >> 1]!;
  if (rounds >= enoughLives) assert.ok(median <= usualLoss, `half of the losses reach ${median} ms back`);
});
