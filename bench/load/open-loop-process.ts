import { setTimeout as delay } from "node:timers/promises";
import { Channel } from "../../src/process/calls.ts";
import type { LoadOutcome, OpenLoad } from "./open-loop.ts";
import { Sender } from "./open-loop-sender.ts";
import { readProcessorTime } from "./process.ts";

const tickMs = 1;
/** The longest pause between two looks at what is due and what has been answered, in an open loop. */
const pauseMs = 0.2;
/** Requests due within this time are awaited without a pause. */
const shortestPauseMs = 0.03;
/** How long the service takes to accept a connection that the kernel has opened, at most. */
const acceptMs = 0.05;
/** How long answers that are on their way when the sending ends are waited for. */
const settleMs = 2_000;

/** Looks every millisecond whether the limit of a closed loop allows more; the returned function stops it. */
function paceClosed(senders: readonly Sender[]): () => void {
  const timer = setInterval(() => {
    for (const sender of senders) sender.sendDue();
  }, tickMs);
  return () => clearInterval(timer);
}

/**
 * Sends what is due as soon as it is: timers are a millisecond coarse, and what had gathered meanwhile would come in a
 * burst. Sleeps in between, since the service wants the processor too.
 */
function paceOpen(senders: readonly Sender[]): () => void {
  let isOver = false;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const turn = () => {
    if (isOver) return;
    for (const sender of senders) sender.sendDue();
    const pause = Math.min(pauseMs, ...senders.map(({ dueInMs }) => dueInMs));
    if (pause > shortestPauseMs) Atomics.wait(sleeper, 0, 0, pause);
    setImmediate(turn);
  };
  turn();
  return () => {
    isOver = true;
  };
}

async function send(load: OpenLoad): Promise<LoadOutcome> {
  const before = readProcessorTime(process.pid);
  const senders = load.streams.map((stream) => new Sender(stream, load));
  try {
    await Promise.all(senders.map((sender) => sender.open()));
    await delay(acceptMs * load.streams.reduce((sum, { connections }) => sum + connections, 0));
    const begin = performance.now();
    for (const sender of senders) sender.begin();
    const isClosed = load.streams.every(({ perSecond }) => perSecond === "closed");
    const endPacing = isClosed ? paceClosed(senders) : paceOpen(senders);
    await delay(load.seconds * 1_000);
    endPacing();
    for (const sender of senders) sender.stop();
    const seconds = (performance.now() - begin) / 1_000;
    const own = readProcessorTime(process.pid);
    const settledAt = performance.now() + settleMs;
    while (performance.now() < settledAt && senders.some(({ isWaiting }) => isWaiting)) await delay(tickMs);
    return {
      streams: senders.map((sender) => sender.result()),
      seconds,
      generatorSeconds: own.all - before.all,
      generatorDelaySeconds: own.mainDelay - before.mainDelay,
    };
  } finally {
    for (const sender of senders) sender.end();
  }
}

new Channel(process, { send });
// A terminal's Ctrl-C reaches this process too; it ends when the one that started it says so, or is gone.
process.on("SIGINT", () => {});
process.once("disconnect", () => process.exit());
