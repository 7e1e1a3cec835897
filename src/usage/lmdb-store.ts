import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { LmdbReply, LmdbRequest } from "./lmdb-process.ts";
import { type UsageAddition, type UsageCount, type UsageStore, UsageStoreError } from "./usage-store.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const processFile = fileURLToPath(new URL(`lmdb-process${extname(import.meta.url)}`, import.meta.url));

/**
 * Usage in an LMDB file, which a separate process reads and writes, so that no request ever waits for the disk.
 *
 * A process and no thread, since the native module overruns its memory where a write fails (a full disk, measured with
 * lmdb 3.5.6), and maps files that other processes may truncate: if it crashes, the service continues. Several
 * processes may have the same file open. A killed process leaves a whole file behind.
 */
export class LmdbStore implements UsageStore {
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #process: ChildProcess | undefined;
  #lastId = 0;

  /** `folder` is made when the first call comes; what goes wrong there is reported by each call. */
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
    if (this.#process === undefined) return;
    const ended = once(this.#process, "exit");
    this.#process.send("close");
    // One that was stopped would outlive the service.
    this.#process.kill("SIGCONT");
    await ended;
  }

  #ask(method: LmdbRequest["method"], ...given: readonly unknown[]): Promise<unknown> {
    this.#process ??= this.#start();
    const child = this.#process;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // A process that has just ended takes no message; its end rejects all that wait.
      child.send({ id, method, given } satisfies LmdbRequest, () => {});
    });
  }

  #start(): ChildProcess {
    const child = fork(processFile, [this.#folder], { serialization: "advanced" });
    child.on("message", ({ id, value, error }: LmdbReply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new UsageStoreError(this.#folder, error));
    });
    // A process that dies is replaced by the next call.
    child.on("error", (error) => this.#end(child, error));
    child.on("exit", () => this.#end(child, new Error("the process that keeps the usage has ended")));
    return child;
  }

  #end(child: ChildProcess, error: Error): void {
    if (this.#process !== child) return;
    this.#process = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
