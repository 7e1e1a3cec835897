import { setTimeout as delay } from "node:timers/promises";
import { RequestError } from "../../src/contract/errors.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { openPace } from "../../src/http/stream/pace.ts";
import { openStream, type Stream, type StreamContext } from "../../src/http/stream/stream.ts";
import type { CheckPool } from "../../src/pool/check-pool.ts";
import { type RequestDone, type Slot, SlotField } from "../../src/pool/slots.ts";
import type { LineOptions } from "../../src/pool/stream/line-answer.ts";
import { runBlock } from "../../src/pool/stream/run-block.ts";
import type { StreamQuestion } from "../../src/pool/stream/stream-task.ts";
import { until } from "../faults/gate.ts";
import { loadShippedDirectory } from "./shipped-directory.ts";
import { Blocks, lineOptions } from "./stream-blocks.ts";

/** Maximum packet size of the native layer. */
const packetBytes = 524_288;
/** What a worker is played to need for a block. */
const microsecondsOfBlock = 1_000;
const blocks = new Blocks(await loadShippedDirectory());

/** How a stream and its client are. */
export interface PlayedOptions {
  readonly isPacked?: boolean;
  readonly packs?: boolean;
  /** Whether the client takes what is written. */
  readonly takes?: () => boolean;
  readonly options?: LineOptions;
  /** Whether others ask all the time. */
  readonly makesRoom?: boolean;
  /** Whether the pool refuses its blocks, and whether its answer is begun by then. */
  readonly isRefused?: boolean;
  readonly isBegun?: boolean;
}

/** A stream between a client that is played here and blocks that are answered at once. */
export class PlayedStream {
  readonly stream: Stream;
  maxHeld = 0;
  /** Bytes handed to the socket, in the order of the writes. */
  readonly sent: Buffer[] = [];
  counted = 0;
  blocks = 0;
  isPaused = false;
  isClosed = false;
  /** How it ended, where it was not to its end: `cut`, or the code of the error; and what the log says of it. */
  brokenBy: string | undefined;
  logged: string | undefined;
  #closed = () => {};
  #receive: (piece: Uint8Array, isLast: boolean) => void = () => {};

  constructor(question: StreamQuestion, given: PlayedOptions = {}) {
    const { isPacked = false, packs = false, takes = () => true, options = lineOptions } = given;
    const { makesRoom = false, isRefused = false, isBegun = true } = given;
    const answer = {
      isBegun,
      refuse: (code: string) => this.#end(code),
      begin: () => {},
      write: (piece: Uint8Array) => {
        this.sent.push(Buffer.from(piece));
        return takes();
      },
      pause: () => {
        this.isPaused = true;
      },
      resume: () => {
        this.isPaused = false;
      },
      end: () => this.close(),
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
      cut: () => this.#end("cut"),
    } as unknown as Exchange;
    const pool = {
      admission: { accepts: () => true },
      tenantOf: () => undefined,
      submit: (_: unknown, __: unknown, fill: (slot: Slot) => void, done: RequestDone) => {
        if (isRefused) throw new RequestError("checker_failed");
        fill(blocks.slot);
        this.blocks++;
        setImmediate(() => {
          // All streams that are played have one slot.
          if (this.isClosed) return;
          blocks.slot.set(SlotField.outputLength, runBlock(blocks.slot, blocks.worker, options));
          blocks.slot.set(SlotField.busy, microsecondsOfBlock);
          done(blocks.slot, "answered");
          this.#look();
        });
      },
    } as unknown as CheckPool;
    // Beside other requests there are always more than its blocks.
    const submissions = () => (makesRoom ? performance.now() : this.blocks);
    const counts = Object.defineProperty({ submissions: 0 }, "submissions", { get: submissions });
    const context: StreamContext = {
      pool,
      pace: openPace({ size: 2, counts }, () => 0),
      isValid: () => true,
      answered: (checks) => {
        this.counted += checks;
      },
      cutOff: (_: unknown, cause: string) => {
        this.logged = cause;
      },
      idleMs: 1_000,
      answerMs: 60_000,
    };
    const how = { isPacked, packs };
    this.stream = openStream(exchange, context, { flags: 0, question }, how, () => {});
  }

  /**
   * Sends a body as fast as the stream takes it; ends where it takes nothing for `maxIdle` looks, which are 2 ms apart or
   * more.
   */
  async send(
    body: Uint8Array,
    { pieceBytes = packetBytes, settleMs = 20, maxIdle = 20 } = {},
  ): Promise<void> {
    let at = 0;
    for (let idle = 0; at < body.length && idle < maxIdle && !this.isClosed; ) {
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
    await delay(settleMs);
    // A body that is packed takes its time.
    await until(() => this.sent.length > 0 || this.isClosed);
    this.#look();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#closed();
  }

  #end(brokenBy: string): void {
    this.brokenBy = brokenBy;
    this.close();
  }

  #look(): void {
    this.maxHeld = Math.max(this.maxHeld, this.stream.heldBytes());
  }
}
