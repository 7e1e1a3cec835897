import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BankcheckError } from "../../../src/client/errors.ts";
import type { StreamedBody } from "../../../src/client/fetch-answer.ts";
import type { RequestSender } from "../../../src/client/sender.ts";
import { CheckedNumbers, sheetOf } from "../../../src/console/batch/columns.ts";
import { messageIn, type RowVerdict } from "../../../src/console/batch/results.ts";
import { Run, type RunPhase } from "../../../src/console/batch/run.ts";
import { checkMessages } from "../../../src/contract/messages/check-messages.ts";

const verdict: RowVerdict = { valid: true, status: 1, message: "", error: "", reason: "", language: "en" };

const each = (rows: number) => Array.from({ length: rows }, (_, row) => row);

/** Runs over rows that have their numbers for IBANs; `answer` is called with the number of the request from 1 and the rows, and may throw. */
function running(count: number, answer: (request: number, rows: readonly number[]) => void | Promise<void>) {
  const took: number[] = [];
  const states: RunPhase[] = [];
  let requests = 0;
  const waiting: { readonly state: RunPhase; readonly reached: () => void }[] = [];
  const send = async ({ body }: { readonly body: StreamedBody }) => {
    const lines = String(body.begin()).trim().split("\n");
    const asked = lines.map((line) => Number((JSON.parse(line) as { iban: string }).iban));
    await answer(++requests, asked);
    body.take(Buffer.from(asked.map((_, index) => `{"line":${index + 1},"status":1}\n`).join("")));
    took.push(...asked);
  };
  const sender = { send } as unknown as RequestSender;
  const rows = each(count).map((row) => [String(row)]);
  const numbers = new CheckedNumbers(sheetOf({ name: "", rows, rowNumbers: each(count) })!);
  const run = new Run(numbers, { ask: (call) => call({ sender }) }, () => {
    states.push(run.state);
    for (const { state, reached } of waiting) if (state === run.state) reached();
  });
  const state = (wanted: RunPhase) =>
    new Promise<void>((reached) => {
      waiting.push({ state: wanted, reached });
      if (run.state === wanted) reached();
    });
  return { run, took, states, state };
}

test("what a verdict says is in the language of the page, whichever it was when the row was checked", () => {
  for (const { en, de } of [checkMessages.iban_valid, checkMessages.not_an_iban]) {
    assert.equal(messageIn("de", { ...verdict, message: en }), de);
    assert.equal(messageIn("de", { ...verdict, language: "de", message: de }), de);
  }
  const refused: RowVerdict = { ...verdict, message: "Not 12", reason: "not_an_iban" };
  assert.deepEqual([messageIn("en", refused), messageIn("de", refused)], ["Not 12", "Das ist keine IBAN."]);
});

describe("a run over the rows of a table", () => {
  test("asks about every row once, in batches of 500 at most, of which no more than four are in flight", async () => {
    const sizes: number[] = [];
    let inFlight = 0;
    let max = 0;
    const { run, took, state } = running(5_201, async (_, asked) => {
      sizes.push(asked.length);
      max = Math.max(max, ++inFlight);
      await new Promise(setImmediate);
      inFlight--;
    });
    run.start();
    await state("finished");
    took.sort((one, other) => one - other);
    assert.deepEqual(took, each(5_201));
    assert.deepEqual(sizes, [...Array(10).fill(500), 201]);
    assert.equal(max, 4);
  });

  test("says that the service is busy or away while the client tries again, and gives up one that fails", async () => {
    const busy = new BankcheckError("server_busy", "busy", { httpStatus: 503 });
    const away = new BankcheckError("unreachable", "away");
    const failing = new BankcheckError("internal_error", "failing", { httpStatus: 500 });
    const { run, states, state } = running(500, () => new Promise(() => {}));
    run.start();
    for (const error of [busy, away, failing]) run.onRetry({ error, retry: 1 });
    run.onRetry({ error: away, retry: 100 });
    assert.deepEqual(states, ["running", "busy", "away", "busy", "away"]);
    run.onRetry({ error: failing, retry: 9 });
    await state("failed");
    assert.equal(run.reason, "failing");
  });

  test("stops with the sentence of a service that refuses the key or the request", async () => {
    for (const [code, httpStatus, stopped] of [
      ["invalid_key", 401, "key"],
      ["invalid_request", 400, "failed"],
    ] as const) {
      let isRefused = true;
      const { run, took, state } = running(1_000, () => {
        if (isRefused) throw new BankcheckError(code, "no", { httpStatus });
      });
      run.start();
      await state(stopped);
      assert.equal(run.reason, "no");
      assert.equal(took.length, 0);
      isRefused = false;
      run.start();
      await state("finished");
      assert.equal(took.length, 1_000);
    }
  });
});
