import { setImmediate as nextTurn } from "node:timers/promises";
import { Channel } from "../process/calls.ts";
import { type Counts, LmdbCounts } from "./lmdb-counts.ts";

const [, , folder = ""] = process.argv;

/** How long the disk may take for what was begun when the service went. */
const lastWaitMs = 5_000;

let opening: Promise<LmdbCounts> | undefined;

/** Counts of a file that was removed, until another one has them. */
let orphaned: Counts = [];

/** Opens the file once for all calls; one that cannot be opened is tried again with the next call. */
function opened(): Promise<LmdbCounts> {
  opening ??= openNow().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function openNow(): Promise<LmdbCounts> {
  // The service may have gone, and its folder with it, which must not be made again.
  await nextTurn();
  if (!process.connected) throw new Error("the service has gone");
  const counts = await LmdbCounts.open(folder);
  counts.adopt(orphaned);
  orphaned = [];
  return counts;
}

/** Returns the counts of the file that is in the folder now, and whether another one was there before. */
async function current(): Promise<{ readonly counts: LmdbCounts; readonly isNew: boolean }> {
  const mine = opened();
  const counts = await mine;
  if (await counts.isInPlace()) return { counts, isNew: false };
  // Of several calls at once the first one closes the file.
  if (opening === mine) {
    opening = undefined;
    orphaned = counts.all();
    await counts.close();
  }
  return { counts: await opened(), isNew: true };
}

async function add(...given: Parameters<LmdbCounts["add"]>): Promise<void> {
  const { counts, isNew } = await current();
  // The recorder logs that and sends the same additions again.
  if (isNew)
    throw new Error("the file was removed or replaced while it was in use; another one is used from now on");
  counts.add(...given);
}

/** What the process does for the service. */
const offers = {
  add,
  read: async (...given: Parameters<LmdbCounts["read"]>) => (await current()).counts.read(...given),
  names: async () => (await current()).counts.names(),
};

export type LmdbOffers = typeof offers;

new Channel(process, offers);

// The service disconnects when it is time to end. The terminal signals both, and a service that was killed says nothing.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM"]) process.on(signal, () => {});

process.on("disconnect", async () => {
  // A disk that does not answer must not keep this process.
  setTimeout(() => process.exit(1), lastWaitMs);
  try {
    await (await opening)?.close();
  } finally {
    process.exit();
  }
});
