import type { ErrorObject } from "../contract/api-types.ts";
import { BankcheckError } from "./errors.ts";
import type { Call, StreamedBody } from "./fetch-answer.ts";
import type { RequestSender } from "./sender.ts";

/**
 * Sends lines of JSON through `POST /v1/stream` until there is an answer for each. However often the answer is cut off, or
 * the service ends it since it stops, a line that was answered is not sent again.
 *
 * `answers` collects the answers as they come, of each the text of its entry after the number of the line,
 * `"valid":true,…}`; another call with the same array continues a call that failed.
 */
export async function sendLines(
  sender: RequestSender,
  lines: readonly string[],
  { path, signal, answers }: Pick<Call<void>, "path" | "signal"> & { readonly answers: string[] },
): Promise<void> {
  if (lines.length === answers.length) return;
  let answer = new AnswerLines();
  const body: StreamedBody = {
    mediaType: "application/x-ndjson",
    get answered() {
      return answers.length;
    },
    begin: () => {
      answer = new AnswerLines();
      return `${lines.slice(answers.length).join("\n")}\n`;
    },
    take: (bytes) => {
      const entries = answer.take(bytes);
      if (answers.length + entries.length > lines.length) throw incompleteAnswer();
      answers.push(...entries);
    },
    get isComplete() {
      return answers.length === lines.length;
    },
  };
  const read = () => {
    if (body.isComplete) return;
    answer.expectWhole();
    throw incompleteAnswer();
  };
  await sender.send({ path, body, signal, read });
}

/** What may follow the answers to lines. */
interface AnswerEnd {
  /** Of a line out of order. */
  readonly line?: number;
  readonly summary?: { readonly lines?: number; readonly next_line?: number };
  readonly error?: ErrorObject;
}

/** Reads the answer to lines of JSON: a line for each in order, then perhaps an error, and the summary. */
export class AnswerLines {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line that has not arrived completely. */
  #rest = "";
  #count = 0;
  #end: AnswerEnd = {};

  /** Takes a part of the answer and returns the entries that are whole now, after their numbers: `"valid":true,…}`. */
  take(bytes: Uint8Array): readonly string[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    const entries: string[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      // The service may put spaces before a line.
      const line = text.slice(from, end).trimStart();
      const begin = `{"line":${this.#count + 1},`;
      if (!line.startsWith(begin)) this.#takeEnd(parsed(line) as AnswerEnd | null);
      else {
        this.#count++;
        entries.push(line.slice(begin.length));
      }
      from = end + 1;
    }
    this.#rest = text.slice(from);
    return entries;
  }

  /** Throws a BankcheckError for an answer that ended before all lines were answered: failed, stopped, or cut off. */
  expectWhole(): void {
    const { summary, error } = this.#end;
    if (error !== undefined) throw new BankcheckError(error.code, error.message);
    if (summary === undefined || summary.next_line !== undefined) throw endedEarly();
  }

  #takeEnd(end: AnswerEnd | null): void {
    if (end?.line !== undefined) throw incompleteAnswer();
    if (end?.summary === undefined && end?.error === undefined) throw otherAnswer();
    if (end.summary !== undefined && end.summary.lines !== this.#count) throw incompleteAnswer();
    this.#end = { ...this.#end, ...end };
  }
}

export function endedEarly(): BankcheckError {
  return new BankcheckError("unreachable", "The service ended its answer early; it may be stopping.");
}

export function incompleteAnswer(): BankcheckError {
  return new BankcheckError(
    "incomplete_answer",
    "The answer does not have exactly one line for each line sent, in order.",
  );
}

/** Throws a BankcheckError for text that is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw otherAnswer(cause);
  }
}

export function otherAnswer(cause?: unknown): BankcheckError {
  return new BankcheckError(
    "invalid_answer",
    "The answer is not from this service: its lines do not match the request.",
    { cause },
  );
}
