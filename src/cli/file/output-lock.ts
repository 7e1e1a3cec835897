import { constants } from "node:fs";
import { copyFile, link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
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
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, own, { mode: 0o600 });
  try {
    await take(path, fresh, output);
  } finally {
    await rm(fresh, { force: true });
  }
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

async function take(path: string, fresh: string, output: string): Promise<void> {
  if (await linked(fresh, path)) return;
  const held = await read(path);
  // It was released a moment ago.
  if (held === undefined) return take(path, fresh, output);
  const inUse = () => new InputError(inUseText(output, held, path));
  if (await isAlive(held, path)) throw inUse();
  // The run that creates this file may replace the dead run's lock; all others are too late.
  const claim = `${path}.claim`;
  if (!(await linked(fresh, claim))) {
    if (await isAlive((await read(claim)) ?? "", claim)) throw inUse();
    await rm(claim, { force: true });
    return take(path, fresh, output);
  }
  try {
    if ((await read(path)) !== held) throw inUse();
    await rename(fresh, path);
  } finally {
    await rm(claim, { force: true });
  }
}

function inUseText(output: string, held: string, path: string): string {
  const owner = parse(held);
  const who = owner === undefined ? "Another run" : `Another run (process ${owner.pid} on ${owner.host})`;
  return `${who} is writing to ${output}. If there is none, remove ${path}.`;
}

/** Creates a second name of a file, unless that name is taken. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error;
  }
  // Some file systems have no second names.
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
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
