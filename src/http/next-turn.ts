import { MessageChannel } from "node:worker_threads";

const { port1: arrivals, port2: calls } = new MessageChannel();
let due: (() => void)[] = [];

arrivals.on("message", () => {
  const now = due;
  due = [];
  for (const run of now) run();
});
// A process that has nothing else to do may end.
arrivals.unref();

/**
 * Calls a function on the next turn of the event loop, where it may close connections.
 *
 * That is where the loop takes what has arrived. The native layer never frees the memory of a connection that is closed
 * in a callback of `setImmediate`: it does so at the end of each turn, before those are called, and by the next turn it
 * takes the socket for one that is still being closed. Each would leave 440 bytes behind.
 */
export function nextTurn(run: () => void): void {
  due.push(run);
  if (due.length === 1) calls.postMessage(undefined);
}
