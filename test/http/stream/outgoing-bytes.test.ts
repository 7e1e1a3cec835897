import assert from "node:assert/strict";
import { test } from "node:test";
import { OutgoingBytes } from "../../../src/http/stream/outgoing-bytes.ts";
import { seededRandom } from "../../support/iban-mix.ts";

const random = seededRandom(20_261_125);
const below = (limit: number) => Math.floor(random() * limit);

/** An answer whose client takes writes at random, up to a number of them. */
function clientOf(maxWrites: number) {
  const written: string[] = [];
  const answer = {
    isBegun: true,
    begin: () => {},
    corked: (write: () => void) => write(),
    write: (piece: Uint8Array) => {
      written.push(Buffer.from(piece).toString("latin1"));
      return written.length < maxWrites && random() < 0.7;
    },
    pause: () => {},
    resume: () => {},
    end: () => {},
  };
  return { answer, text: () => written.join("") };
}

const linesIn = (text: string) => text.split("\n").length - 1;

/** What is on its way to a client, and how many lines have been handed over. */
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
    const { answer, text } = clientOf(1 + below(12));
    const { outgoing, counted } = countedOutgoing(answer);
    for (let block = 0; block < 5 && !outgoing.isBlocked; block++) {
      const lines = 1 + below(3_000);
      outgoing.add(Buffer.from(`{"line":${"x".repeat(below(90))}}\n`.repeat(lines)), lines);
    }
    if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 8));
    outgoing.close(false);
    outgoing.close(false);
    assert.equal(counted(), linesIn(text()));
    assert.equal(outgoing.heldBytes, 0);
  }
});

test("a stream that ends counts all lines before its end", () => {
  const { answer, text } = clientOf(0);
  const { outgoing, counted } = countedOutgoing(answer);
  const end = '{"summary":{}}\n';
  outgoing.finish(Buffer.from(`a\nb\n${end}`), 2, end.length);
  assert.equal(text(), `a\nb\n${end}`);
  assert.equal(counted(), 2);
});
