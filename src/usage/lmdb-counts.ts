import { constants } from "node:fs";
import { chmod, open as openFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";
import { makeFolder, unlessAbsent } from "../process/files.ts";
import {
  dayOf,
  forgetWriterAfterDays,
  msPerDay,
  periodsOf,
  type UsageAddition,
  type UsageCount,
  wholeTime,
} from "./usage-store.ts";

/** Offsets in the head of a meta page, of which the first two pages each have one. Source: LMDB 1.0, `mdb.c`. */
const magicOffset = 24;
const pageSizeOffset = 48;
const lastPageOffset = 144;
const headBytes = 160;
const magic = 0xbeef_c0de;

/**
 * Throws if a file is not a whole LMDB file: LMDB maps it into memory and would take the process with it.
 *
 * A file that is absent or empty is whole, since LMDB fills it.
 */
async function expectWholeLmdbFile(path: string): Promise<void> {
  // Otherwise a pipe would not open until another process writes to it.
  const file = await unlessAbsent(openFile(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (file === undefined) return;
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file.`);
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    if (bytesRead === 0) return;
    const pageSize = head.readUInt32LE(pageSizeOffset);
    const second = Buffer.alloc(headBytes);
    await file.read(second, 0, headBytes, pageSize);
    // Another process may make it longer at any time, and then says so in the head: the size is read last.
    const { size } = await file.stat();
    const isWhole = [head, second].every(
      (page) =>
        page.readUInt32LE(magicOffset) === magic &&
        (page.readBigUInt64LE(lastPageOffset) + 1n) * BigInt(pageSize) <= BigInt(size),
    );
    if (!isWhole) throw new Error(`${path} is not a complete LMDB file.`);
  } finally {
    await file.close();
  }
}

/** Holder's name, period and key id, in the order they are looked for. */
type CountKey = [name: string, period: string, key: string];

export type Counts = readonly (readonly [CountKey, number])[];

export type LmdbCounts = Awaited<ReturnType<typeof openCounts>>;

async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}/${ino}`;
}

/** Opens a file and another one beside it, named after it, for the locks. */
function openFileOf(path: string): RootDatabase {
  // Commits that are on the disk before they are seen are LMDB's own way, and the one that was tried with kills.
  return open({ path, overlappingSync: false, maxReaders: 256 });
}

function openTables(folder: string) {
  const root = openFileOf(folder);
  const counts: Database<number, CountKey> = root.openDB({ name: "counts", encoding: "ordered-binary" });
  /** Sequence number of each process's last additions, and their day. */
  const writers: Database<[sequence: number, day: string], string> = root.openDB({
    name: "writers",
    encoding: "json",
  });
  return { root, counts, writers };
}

/**
 * Opens the counts in a folder, which is made when absent. Rejects if it cannot be made or its file is damaged.
 *
 * A file without counts takes over those `adopted` from one that was removed.
 *
 * A process that opens a file while another one commits may set the number of the last transaction back, and the next one
 * overwrites the commit or damages the file (LMDB 1.0, ITS#9496; in lmdb 3.5.6). So both take turns by the write lock of a
 * second file, to which nothing is written.
 */
export async function openCounts(folder: string, adopted: Counts) {
  makeFolder(folder, 0o700);
  const file = join(folder, "data.mdb");
  const turnsFile = join(folder, "turns.mdb");
  for (const path of [file, turnsFile]) {
    await expectWholeLmdbFile(path);
    // LMDB would make the file too, but then with another identity than one that is seen here.
    await (await openFile(path, "a", 0o600)).close();
  }
  const identity = await identityOf(file);
  const turns = openFileOf(turnsFile);
  let tables: ReturnType<typeof openTables>;
  try {
    tables = turns.transactionSync(() => openTables(folder));
    for (const path of [file, join(folder, "lock.mdb"), turnsFile, `${turnsFile}-lock`])
      await chmod(path, 0o600);
  } catch (error) {
    await turns.close();
    throw error;
  }
  const { root, counts, writers } = tables;
  const write = (change: () => void) => turns.transactionSync(() => root.transactionSync(change));

  const oldest = dayOf(Date.now() - forgetWriterAfterDays * msPerDay);
  write(() => {
    for (const { key, value } of [...writers.getRange({})]) if (value[1] < oldest) writers.removeSync(key);
    if ([...counts.getKeys({ limit: 1 })].length > 0) return;
    for (const [key, count] of adopted) counts.putSync(key, count);
  });

  return {
    /** Adds all or nothing, once for each writer and sequence number; throws if it cannot. */
    add(writer: string, sequence: number, additions: readonly UsageAddition[]): void {
      write(() => {
        const [last] = writers.get(writer) ?? [0];
        if (sequence <= last) return;
        for (const { name, key, day, count } of additions) {
          for (const period of periodsOf(day)) {
            const place: CountKey = [name, period, key];
            counts.putSync(place, (counts.get(place) ?? 0) + count);
          }
        }
        writers.putSync(writer, [sequence, dayOf(Date.now())]);
      });
    },

    /** Whether the file is still the one in the folder: what is written to one that was removed is lost with the process. */
    async isInPlace(): Promise<boolean> {
      return (await unlessAbsent(identityOf(file))) === identity;
    },

    all: (): Counts => [...counts.getRange({})].map(({ key, value }) => [key, value]),

    read: (name: string, periods: readonly string[]): UsageCount[] =>
      periods.flatMap((period) =>
        // An id is hexadecimal, so that it precedes the end.
        [...counts.getRange({ start: [name, period, ""], end: [name, period, "~"] })].map(
          ({ key: [, , key], value }) => ({ key, period, count: value }),
        ),
      ),

    /** Returns the names of all holders in order, each found by one step. */
    names(): string[] {
      const names: string[] = [];
      for (let start: CountKey = ["", "", ""]; ; ) {
        const [next] = [...counts.getKeys({ start, limit: 1 })];
        if (next === undefined) return names;
        names.push(next[0]);
        // The whole time is the last of a name's periods.
        start = [next[0], wholeTime, "~"];
      }
    },

    async close(): Promise<void> {
      await root.close();
      await turns.close();
    },
  };
}
