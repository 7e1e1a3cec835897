import { LmdbCounts } from "./lmdb-counts.ts";

/** What the process is asked to do: a method of `LmdbCounts` and its arguments. */
export interface LmdbRequest {
  readonly id: number;
  readonly method: "add" | "read" | "names";
  readonly given: readonly unknown[];
}

/** What it answers: what the method gave, or why it failed. */
export interface LmdbReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const [, , folder = ""] = process.argv;
let counts: LmdbCounts | undefined;

/** A file that cannot be opened is tried again with every request. */
async function answer({ id, method, given }: LmdbRequest): Promise<LmdbReply> {
  try {
    counts ??= await LmdbCounts.open(folder);
    const call = counts[method] as (...all: readonly unknown[]) => unknown;
    return { id, value: call.apply(counts, [...given]) };
  } catch (error) {
    return { id, error: (error as Error).message };
  }
}

async function close(): Promise<void> {
  await counts?.close();
  process.exit();
}

let last: Promise<void> = Promise.resolve();
/** One after the other, or two requests at the start would open the file twice. */
function next(work: () => Promise<void>): void {
  last = last.then(work);
}

process.on("message", (request: LmdbRequest | "close") => {
  next(async () => {
    if (request === "close") await close();
    else process.send?.(await answer(request));
  });
});
// The service tells when it is time, also when the terminal has told both; one that was killed has told nothing.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.on("disconnect", () => next(close));
