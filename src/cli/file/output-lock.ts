import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { withFileLock } from "../../process/file-lock.ts";
import { unlessAbsent } from "../../process/files.ts";
import { InputError } from "../../rows/rows.ts";

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process was started, as the system counts it; distinguishes it from a later one with the same number. */
  readonly started: string;
}

/** How often a run shows that it is alive, and after what time one on another machine counts as dead. */
const signMs = 10_000;
const deadAfterMs = 60_000;

/** Holds an output for one run. */
export interface OutputLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of an output, `checked.csv.lock` next to it; one that a dead run has left is taken over.
 *
 * Throws an InputError while another run holds it. Of two runs that find a dead one's lock at once only one gets it.
 */
export async function lockOutput(output: string): Promise<OutputLock> {
  const path = `${output}.lock`;
  const own = JSON.stringify(await ownerOf(process.pid));
  await withFileLock(`${path}.claim`, async () => {
    const held = await read(path);
    if (held !== undefined && (await isAlive(held, path)))
      throw new InputError(inUseText(output, held, path));
    const fresh = `${path}.${process.pid}`;
    try {
      await writeFile(fresh, own, { mode: 0o600 });
      // Also in place of another user's, and never half of it: an empty lock counts as held for a minute.
      await rename(fresh, path);
    } finally {
      await rm(fresh, { force: true });
    }
  });
  const signs = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, signMs);
  signs.unref();
  return {
    release: async () => {
      clearInterval(signs);
      if ((await read(path)) === own) await rm(path, { force: true });
    },
  };
}

function inUseText(output: string, held: string, path: string): string {
  const owner = parse(held);
  const who = owner === undefined ? "Another run" : `Another run (process ${owner.pid} on ${owner.host})`;
  return `${who} is writing to ${output}. If there is none, remove ${path}.`;
}

async function isAlive(held: string, path: string): Promise<boolean> {
  const owner = parse(held);
  const signed = await stat(path).catch(() => undefined);
  const isSigned = signed !== undefined && Date.now() - signed.mtimeMs < deadAfterMs;
  if (owner === undefined || owner.host !== hostname()) return isSigned;
  return (await ownerOf(owner.pid))?.started === owner.started;
}

function parse(held: string): Owner | undefined {
  try {
    const { pid, host, started } = JSON.parse(held) as Owner;
    return Number.isInteger(pid) ? { pid, host, started } : undefined;
  } catch {
    return undefined;
  }
}

/** The process with a number; undefined if none runs. */
async function ownerOf(pid: number): Promise<Owner | undefined> {
  const host = hostname();
  try {
    const status = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field, the name of the program, may hold anything. Source: proc(5).
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : { pid, host, started: fields[19] ?? "" };
  } catch {
    return process.platform !== "linux" && isRunning(pid) ? { pid, host, started: "" } : undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function read(path: string): Promise<string | undefined> {
  return unlessAbsent(readFile(path, "utf8"));
}
