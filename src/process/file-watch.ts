import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./files.ts";

/**
 * Returns a text that changes whenever the file does; the error code if it cannot be read. Links are followed, so that
 * one that is turned to another file counts as a change.
 */
export async function fileState(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch(codeOf);
  if (typeof file === "string") return file;
  // What is in a folder is not watched, and would change its times.
  return file.isDirectory() ? "folder" : `${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`;
}

/** Returns a text that changes whenever a file in the folder does; the error code if it cannot be read. */
export async function folderState(folder: string): Promise<string> {
  const names = await readdir(folder).catch(codeOf);
  if (typeof names === "string") return names;
  const states = names.sort().map(async (name) => `${name} ${await fileState(join(folder, name))}`);
  return (await Promise.all(states)).join("\n");
}

/** A look takes milliseconds, the load of an edition a few seconds; on a machine that is far too busy, a minute. */
const lateLookMs = 120_000;

/**
 * Looks at files and the clock at a fixed interval, never twice at once, until it is closed.
 *
 * Looking is cheap, works on every kind of file system, and cannot be put out of step by a change of the clock or by summer
 * time. A look that the interval begins never rejects. `late` is called once for one that takes longer than `lateMs`, as it
 * does where a network drive does not answer: it is still waited for, since no other would be answered sooner.
 */
export function watchFiles(
  intervalMs: number,
  lookOnce: () => Promise<void>,
  late: (seconds: number) => void,
  lateMs = lateLookMs,
) {
  let current: Promise<void> | undefined;
  /** When the look in progress is late, until that has been said. */
  let lateAt = Number.POSITIVE_INFINITY;

  /** Looks now, or after the look in progress; changes made before the call are seen once it resolves. */
  const look = async (): Promise<void> => {
    // The failure of another look is its caller's.
    while (current !== undefined) await current.catch(() => {});
    lateAt = performance.now() + lateMs;
    current = lookOnce().finally(() => {
      current = undefined;
    });
    await current;
  };

  const timer = setInterval(() => {
    if (current === undefined) void look();
    else if (performance.now() > lateAt) {
      lateAt = Number.POSITIVE_INFINITY;
      late(Math.round(lateMs / 1_000));
    }
  }, intervalMs);
  timer.unref();
  return { look, close: () => clearInterval(timer) };
}
