import { setImmediate as nextTurn } from "node:timers/promises";
import { Channel } from "../process/calls.ts";
import { type Counts, type LmdbCounts, openCounts } from "./lmdb-counts.ts";

const [, , folder = ""] = process.argv;

/** How long the disk may take for what was begun when the service went. */
const lastWaitMs = 5_000;

let counts: LmdbCounts | undefined;

/** Counts of a file that was removed, until another one has them. */
let orphaned: Counts = [];

/** The latest look at the folder: they follow one another, and what is done with the counts follows each at once. */
let last: Promise<unknown> = Promise.resolve();

function current(): Promise<LmdbCounts> {
  const found = last.then(findCurrent);
  last = found.catch(() => {});
  return found;
}

/** Returns the counts of the file that is in the folder now. One that cannot be opened is tried again with the next call. */
async function findCurrent(): Promise<LmdbCounts> {
  if (counts !== undefined) {
    if (await counts.isInPlace()) return counts;
    const removed = counts;
    counts = undefined;
    orphaned = removed.all();
    await removed.close();
  }
  // The service may have gone, and its folder with it, which must not be made again.
  await nextTurn();
  if (!process.connected) throw new Error("the service has gone");
  counts = await openCounts(folder, orphaned);
  orphaned = [];
  return counts;
}

const offers = {
  add: async (...given: Parameters<LmdbCounts["add"]>) => {
    const before = counts;
    const now = await current();
    // The recorder logs that and sends the same additions again.
    if (before !== undefined && before !== now)
      throw new Error(
        "the file was removed or replaced while it was in use; another one is used from now on",
      );
    now.add(...given);
  },
  read: async (...given: Parameters<LmdbCounts["read"]>) => (await current()).read(...given),
  names: async () => (await current()).names(),
};

export type LmdbOffers = typeof offers;

new Channel(process, offers);

// The service disconnects when it is time to end. The terminal signals both, and a service that was killed says nothing.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM"]) process.on(signal, () => {});

process.on("disconnect", async () => {
  // A disk that does not answer must not keep this process.
  setTimeout(() => process.exit(1), lastWaitMs);
  try {
    await last;
    await counts?.close();
  } finally {
    process.exit();
  }
});
