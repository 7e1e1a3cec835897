import assert from "node:assert/strict";
import { test } from "node:test";
import { OutgoingBytes } from "../../../src/http/stream/outgoing-bytes.ts";
import { randomOf } from "../../support/random.ts";

const random = randomOf(20_261_125);

/** An answer whose client takes writes at random, up to a number of them. */
function clientOf(maxWrites: number) {
  const written: string[] = [];
  const answer = {
    write: (piece: Uint8Array) => {
      written.push(Buffer.from(piece).toString("latin1"));
      return written.length < maxWrites && random(10) < 7;
    },
    end: () => {},
  };
  return { answer, text: () => written.join("") };
}

const linesIn = (text: string) => text.split("\n").length - 1;

/** Outgoing bytes to a client, with a count of the lines sent. */
function countedOutgoing(answer: ReturnType<typeof clientOf>["answer"]) {
  let count = 0;
  const sent = (lines: number) => {
    count += lines;
  };
  const outgoing = new OutgoingBytes(answer, 80, { blocked: () => {}, taken: () => {}, sent });
  return { outgoing, counted: () => count };
}

test("exactly the lines whose end was handed to the socket count, wherever the client goes away", async () => {
  for (let round = 0; round < 200; round++) {
    const { answer, text } = clientOf(1 + random(12));
    const { outgoing, counted } = countedOutgoing(answer);
    const checksIn = (sent: Uint8Array) => linesIn(Buffer.from(sent).toString("latin1"));
    // One more block may be in progress when the client is found to take nothing.
    for (let block = 0, late = 0; block < 5 && late < 2; block++) {
      const lines = 1 + random(3_000);
      const bytes = Buffer.from(`{"line":${"x".repeat(random(90))}}\n`.repeat(lines));
      outgoing.add({ bytes, checks: lines, checksIn });
      // As the memory of a slot, which the next block has then.
      bytes.fill("\n");
      if (outgoing.isBlocked) late++;
    }
    if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 8));
    outgoing.close();
    outgoing.close();
    assert.equal(counted(), linesIn(text()));
    assert.match(text(), /^(\{"line":x*\}\n)*(\{[^\n]*)?$/);
    assert.equal(outgoing.heldBytes, 0);
  }
});

test("a stream ends once all lines of its blocks are sent, however slow its client", async () => {
  const { answer, text } = clientOf(Number.POSITIVE_INFINITY);
  const lines = "a line of an answer\n".repeat(20_000);
  const end = '{"summary":{}}\n';
  const ended = new Promise<void>((resolve) => {
    answer.end = resolve;
  });
  const { outgoing, counted } = countedOutgoing(answer);
  for (const [text, endLength] of [[lines], [lines + end, end.length]] as const) {
    const bytes = Buffer.from(text);
    outgoing.add({ bytes, checks: 20_000, checksIn: () => 0, ...(endLength !== undefined && { endLength }) });
    assert.ok(outgoing.isBlocked, "the client takes one as it comes");
    bytes.fill("-");
  }
  await ended;
  assert.equal(text(), lines + lines + end);
  assert.equal(counted(), 40_000);
});
