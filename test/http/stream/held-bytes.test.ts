import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { loadShippedDirectory } from "../../../src/banks/editions/load.ts";
import type { Exchange } from "../../../src/http/exchange.ts";
import { Stream, type StreamContext } from "../../../src/http/stream/stream.ts";
import { Turns } from "../../../src/pool/admission.ts";
import type { CheckPool, RequestDone } from "../../../src/pool/check-pool.ts";
import { type Slot, SlotField } from "../../../src/pool/slots.ts";
import { runBlock } from "../../../src/pool/stream/run-block.ts";
import type { StreamQuestion } from "../../../src/pool/stream/stream-task.ts";
import { dataFolder } from "../../banks/shipped.ts";
import { Blocks, lineOptions, questionOf } from "../../support/stream-blocks.ts";

const maxHeldBytes = 1_048_576;
/** What the native layer hands over at once at most. */
const packetBytes = 524_288;
const iban = "DE89370400440532013000";
const blocks = new Blocks(await loadShippedDirectory(dataFolder));

/** A stream between a client that is played here and blocks that are answered at once. */
class PlayedStream {
  readonly stream: Stream;
  maxHeld = 0;
  sent = 0;
  counted = 0;
  isPaused = false;
  isClosed = false;
  readonly #takes: () => boolean;
  #closed = () => {};
  #receive: (piece: Uint8Array, isLast: boolean) => void = () => {};

  constructor(question: StreamQuestion, { isPacked = false, takes = () => true, options = lineOptions }) {
    this.#takes = takes;
    const end = () => this.close();
    const answer = {
      isBegun: true,
      begin: () => {},
      corked: (write: () => void) => write(),
      write: (piece: Uint8Array) => {
        this.sent += piece.length;
        return this.#takes();
      },
      pause: () => {
        this.isPaused = true;
      },
      resume: () => {
        this.isPaused = false;
      },
      end,
    };
    const exchange = {
      holder: undefined,
      onClosed: (closed: () => void) => {
        this.#closed = closed;
      },
      onData: (receive: (piece: Uint8Array, isLast: boolean) => void) => {
        this.#receive = receive;
      },
      beginStream: () => answer,
      remoteAddress: () => "127.0.0.1",
      cut: end,
      refuse: end,
    } as unknown as Exchange;
    const pool = {
      accepts: () => true,
      submit: (_: unknown, __: unknown, ___: unknown, fill: (slot: Slot) => void, done: RequestDone) => {
        fill(blocks.slot);
        blocks.slot.set(SlotField.outputLength, runBlock(blocks.slot, blocks.worker, options));
        setImmediate(() => {
          done(blocks.slot, "answered");
          this.#look();
        });
      },
    } as unknown as CheckPool;
    const context: StreamContext = {
      pool,
      turns: new Turns(1),
      answered: (lines) => {
        this.counted += lines;
      },
      idleMs: 60_000,
      answerMs: 60_000,
    };
    this.stream = new Stream(exchange, context, { flags: 0, question, isPacked, packs: false }, () => {});
  }

  /** Sends a body as fast as the stream takes it; ends where it takes nothing for a while. */
  async send(body: Uint8Array, pieceBytes = packetBytes): Promise<void> {
    let at = 0;
    for (let idle = 0; at < body.length && idle < 20 && !this.isClosed; ) {
      if (this.isPaused) {
        idle++;
        await delay(2);
        continue;
      }
      idle = 0;
      const piece = body.subarray(at, at + pieceBytes);
      at += piece.length;
      this.#receive(piece, at === body.length);
      this.#look();
      await new Promise(setImmediate);
    }
    await delay(20);
    this.#look();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#closed();
  }

  #look(): void {
    this.maxHeld = Math.max(this.maxHeld, this.stream.heldBytes);
  }
}

const text = questionOf({ input: "text", output: "ndjson" });
const lines = Buffer.from(`${iban}\n`.repeat(200_000));
const row = `${iban};${'"x";'.repeat(10)}\n`;

const cases: readonly (readonly [
  name: string,
  question: StreamQuestion,
  body: Uint8Array,
  how?: ConstructorParameters<typeof PlayedStream>[1],
])[] = [
  ["one that never reads", text, lines, { takes: () => false }],
  ["one that reads now and then", text, lines, { takes: () => Math.random() < 0.9 }],
  ["one endless line", text, Buffer.alloc(4_000_000, "x")],
  ["one endless row", questionOf(), Buffer.from(`iban;a\n${iban};"${"x\n".repeat(1_000_000)}`)],
  [
    "lines with the longest answers",
    text,
    lines,
    { options: { ...lineOptions, explain: true, reason: true } },
  ],
  [
    "rows with the longest answers",
    questionOf(),
    Buffer.from(`iban${";a".repeat(11)}\n${row.repeat(30_000)}`),
  ],
  [
    "a gzip bomb",
    text,
    gzipSync(Buffer.alloc(64_000_000, `${iban}\n`)),
    { isPacked: true, takes: () => false },
  ],
];

for (const [name, question, body, how = {}] of cases) {
  test(`a stream holds at most a megabyte of its client's: ${name}`, async () => {
    const played = new PlayedStream(question, how);
    await played.send(body);
    played.close();
    assert.ok(played.maxHeld <= maxHeldBytes, `${played.maxHeld} bytes held`);
    assert.ok(played.sent > 0 && played.maxHeld > 0);
  });
}

test("a client that dribbles byte by byte is answered each line once", async () => {
  const played = new PlayedStream(text, {});
  await played.send(Buffer.from(`${iban}\n`.repeat(40)), 1);
  assert.equal(played.counted, 40);
  assert.ok(played.isClosed && played.maxHeld < 10_000, `${played.maxHeld} bytes held`);
});
