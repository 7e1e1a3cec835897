import { open, readFile, readlink, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../settings.ts";
import { codeOf, unlessAbsent } from "./files.ts";

type Holder = Awaited<ReturnType<typeof thisHolder>>;

const thisHolder = async () => ({
  pid: process.pid,
  host: hostname(),
  /** Where the number counts: containers of one host have their own. Locks of older versions do not say. */
  namespace: await readlink("/proc/self/ns/pid").catch(() => ""),
  /** When it was started, as the system counts it; distinguishes it from a later process with the same number. */
  started: await startOf(process.pid),
});

/** How often a holder shows that it is alive, and after what time one that cannot be seen from here counts as dead. */
const signMs = 10_000;
const deadAfterMs = 60_000;

const retryMs = 20;

/** A change takes milliseconds, and while a disk is too busy perhaps half a minute. */
const maxWaitMs = 90_000;

/**
 * Does work while no other process does work under the same lock file, whose folder must exist. Waits for others, and
 * throws a StartError for one that has stopped.
 *
 * Readers need no lock if they always see a whole file.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, maxMs = maxWaitMs): Promise<T> {
  const end = performance.now() + maxMs;
  for (;;) {
    const lock = await takeLock(path);
    if (typeof lock !== "string") return work().finally(() => lock.release());
    if (performance.now() > end)
      throw new StartError(`${path} is held by ${lock}; end it, or remove the file.`);
    await delay(retryMs);
  }
}

/** Takes a lock file, also one whose holder has died, or returns who holds it, for people. */
export async function takeLock(path: string) {
  const own = JSON.stringify(await thisHolder());
  while (!(await make(path, own))) {
    const held = await unlessAbsent(readFile(path, "utf8"));
    if (held === undefined) continue;
    const holder = parse(held);
    if ((await isAlive(holder, path)) || !(await removeDead(path)))
      return holder === undefined ? "an unknown process" : `process ${holder.pid} on ${holder.host}`;
  }
  const signs = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, signMs);
  signs.unref();
  return {
    /** Never rejects: the work is done, and a lock that cannot be removed ends with this process. */
    release: async () => {
      clearInterval(signs);
      const held = await readFile(path, "utf8").catch(() => undefined);
      if (held === own) await rm(path, { force: true }).catch(() => {});
    },
  };
}

async function make(path: string, content: string): Promise<boolean> {
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/**
 * Removes the lock of a dead holder; false if another process is about to. Of several that find it at once, one that
 * comes late would otherwise remove the lock that the first of them has taken since.
 */
async function removeDead(path: string): Promise<boolean> {
  const claim = `${path}.claim`;
  if (!(await make(claim, ""))) {
    if (!(await isYoung(claim))) await rm(claim, { force: true });
    return false;
  }
  try {
    const held = await unlessAbsent(readFile(path, "utf8"));
    if (held !== undefined && !(await isAlive(parse(held), path))) await rm(path, { force: true });
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

async function isAlive(holder: Holder | undefined, path: string): Promise<boolean> {
  const here = await thisHolder();
  if (holder === undefined || holder.host !== here.host) return isYoung(path);
  const { pid, started, namespace = here.namespace } = holder;
  if (namespace !== here.namespace) return isYoung(path);
  const running = await startOf(pid);
  return running === "" || running === started;
}

/** Whether a file shows a sign of the last minute; one of the future, from a clock that was set back since, does not. */
async function isYoung(path: string): Promise<boolean> {
  const file = await unlessAbsent(stat(path));
  return file !== undefined && Math.abs(Date.now() - file.mtimeMs) < deadAfterMs;
}

function parse(held: string): Holder | undefined {
  try {
    const holder = JSON.parse(held) as Holder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Returns when a process began; empty where the system hides that (`ProtectProc=`), undefined if none runs. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return undefined;
  }
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The second field, the name of the program, may hold anything. Source: proc(5).
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? undefined : (fields[19] ?? "");
}
