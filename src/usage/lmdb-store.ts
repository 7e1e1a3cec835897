import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { LmdbReply, LmdbRequest } from "./lmdb-thread.ts";
import type { UsageAddition, UsageCount, UsageStore } from "./usage-store.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const threadFile = fileURLToPath(new URL(`lmdb-thread${extname(import.meta.url)}`, import.meta.url));

/**
 * Usage in an LMDB file, which a thread reads and writes, so that no request ever waits for the disk.
 *
 * Several processes may have the same file open. A killed process leaves a whole file behind.
 */
export class LmdbStore implements UsageStore {
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #lastId = 0;

  /** `folder` is made when the first call comes; what goes wrong there is told by each call. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(writer: string, sequence: number, additions: readonly UsageAddition[]): Promise<void> {
    await this.#ask("add", writer, sequence, additions);
  }

  read(name: string, periods: readonly string[]): Promise<readonly UsageCount[]> {
    return this.#ask("read", name, periods) as Promise<readonly UsageCount[]>;
  }

  names(): Promise<readonly string[]> {
    return this.#ask("names") as Promise<readonly string[]>;
  }

  async close(): Promise<void> {
    if (this.#thread === undefined) return;
    const ended = once(this.#thread, "exit");
    this.#thread.postMessage("close");
    await ended;
  }

  #ask(method: LmdbRequest["method"], ...given: readonly unknown[]): Promise<unknown> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread.postMessage({ id, method, given } satisfies LmdbRequest);
    });
  }

  #start(): Worker {
    const thread = new Worker(threadFile, { workerData: this.#folder });
    thread.on("message", ({ id, value, error }: LmdbReply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(`The usage in ${this.#folder} cannot be reached: ${error}`));
    });
    // A thread that dies is replaced by the next call.
    thread.on("error", (error) => this.#end(thread, error as Error));
    thread.on("exit", () => this.#end(thread, new Error("the thread has ended")));
    return thread;
  }

  #end(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
