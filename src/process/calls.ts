import type { ChildProcess } from "node:child_process";
import { Worker } from "node:worker_threads";

/** Functions that one process offers another; arguments and results must survive JSON. */
type Offers = Readonly<Record<string, (...given: never[]) => unknown>>;

type Call = { readonly call: number; readonly name: string; readonly given: readonly never[] };
type Answer = { readonly answered: number; readonly value?: unknown; readonly error?: string };

async function answerTo({ call: answered, name, given }: Call, own: Offers): Promise<Answer> {
  try {
    return { answered, value: await own[name]!(...given) };
  } catch (error) {
    return { answered, error: (error as Error).message };
  }
}

/** One end of the channel between a process and one that it has started: calls what the other end offers. */
export class Channel<Others extends { readonly [Name in keyof Others]: Offers[string] }> {
  readonly #end: ChildProcess | NodeJS.Process;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #calls = 0;

  /** `own` is what the other end may call; its calls wait until this is made. */
  constructor(end: ChildProcess | NodeJS.Process, own: Offers = {}) {
    this.#end = end;
    end.on("message", async (message: Call | Answer) => {
      if ("answered" in message) this.#settle(message);
      // The other end may have gone.
      else end.send!(await answerTo(message, own), undefined, undefined, () => {});
    });
    end.once("disconnect", () => {
      for (const answered of this.#waiting.keys())
        this.#settle({ answered, error: "the other process has ended" });
    });
  }

  /** Calls what the other end offers. Rejects with the message of what it throws, and where it has gone. */
  call<Name extends keyof Others & string>(
    name: Name,
    ...given: Parameters<Others[Name]>
  ): Promise<Awaited<ReturnType<Others[Name]>>> {
    const call = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.#end.send!({ call, name, given }, undefined, undefined, (error) => {
        if (error !== null) this.#settle({ answered: call, error: error.message });
      });
    });
  }

  /** Calls without waiting for the result; a failure, also that the other end has gone, is ignored. */
  notify<Name extends keyof Others & string>(name: Name, ...given: Parameters<Others[Name]>): void {
    this.call(name, ...given).catch(() => {});
  }

  #settle({ answered, value, error }: Answer): void {
    const waiting = this.#waiting.get(answered);
    this.#waiting.delete(answered);
    if (error === undefined) waiting?.resolve(value as never);
    else waiting?.reject(new Error(error));
  }
}

/** Returns the value of a promise, or rejects when it takes longer. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no reply within ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A thread takes a second or two, on a machine that is far too busy a minute; one that reads a dead network drive never ends. */
const maxThreadMs = 300_000;
/** A thread that is not reading ends within milliseconds. */
const maxEndMs = 1_000;

/**
 * Returns what a thread posts first, and ends the thread. Its memory is released with it.
 *
 * Rejects with the message of what it throws, where it ends without a word, or when it takes longer than `maxMs`.
 */
export async function resultOfThread<T>(threadFile: string, input: unknown, maxMs = maxThreadMs): Promise<T> {
  const thread = new Worker(threadFile, { workerData: input });
  try {
    const result = new Promise<T>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error(`the thread of ${threadFile} has ended`)));
    });
    return await within(maxMs, result);
  } finally {
    // Runs no more code, but ends only when its last read has.
    await within(maxEndMs, thread.terminate()).catch(() => {});
  }
}
