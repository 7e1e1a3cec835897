import type { ErrorObject } from "./api-types.ts";
import { BankcheckError } from "./errors.ts";
import type { AnswerFacts } from "./exchange.ts";
import type { RequestSender, UnansweredLines } from "./sender.ts";

/** How lines are asked. */
export interface LinesCall {
  /** The stream's path and query. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly onAnswer?: ((facts: AnswerFacts) => void) | undefined;
  /** Makes text of parts of an answer, which end anywhere; UTF-8 unless given. */
  readonly textOf?: ((bytes: Uint8Array) => string) | undefined;
  /** Takes the answers as they come; a call that failed is continued by another call with the same answers. */
  readonly answers?: string[] | undefined;
}

/**
 * Sends lines of JSON through `POST /v1/stream` and resolves with an answer for each: the text of its entry behind the
 * number of the line, `"valid":true,…}`.
 *
 * However often the answer is cut off, or the service ends it since it stops, a line that was answered is not sent again.
 */
export async function sendLines(
  sender: RequestSender,
  lines: readonly string[],
  { path, signal, onAnswer, textOf, answers: texts = [] }: LinesCall,
): Promise<readonly string[]> {
  if (lines.length === texts.length) return texts;
  const answers = new LineAnswers(lines, texts, textOf);
  const read = (_text: string, facts: AnswerFacts) => {
    answers.expectAll();
    onAnswer?.(facts);
  };
  await sender.send({ path, body: answers, signal, read });
  return answers.texts;
}

class LineAnswers implements UnansweredLines {
  readonly texts: string[];
  readonly #lines: readonly string[];
  readonly #textOf: LinesCall["textOf"];
  #decode: (bytes: Uint8Array) => string = () => "";
  /** How many lines were answered before this attempt. */
  #before = 0;
  /** What came of a line whose end has not come. */
  #rest = "";

  constructor(lines: readonly string[], texts: string[], textOf: LinesCall["textOf"]) {
    this.#lines = lines;
    this.texts = texts;
    this.#textOf = textOf;
  }

  get answered(): number {
    return this.texts.length;
  }

  get #isComplete(): boolean {
    return this.texts.length === this.#lines.length;
  }

  begin(): string {
    this.#before = this.texts.length;
    this.#rest = "";
    const decoder = new TextDecoder();
    this.#decode = this.#textOf ?? ((bytes) => decoder.decode(bytes, { stream: true }));
    return `${this.#lines.slice(this.#before).join("\n")}\n`;
  }

  readonly take = (bytes: Uint8Array): boolean => {
    const text = this.#rest + this.#decode(bytes);
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#takeLine(text.slice(from, end));
      from = end + 1;
    }
    this.#rest = text.slice(from);
    return this.#isComplete;
  };

  /** Throws a BankcheckError where lines are left that have no answer. */
  expectAll(): void {
    if (this.#isComplete) return;
    throw new BankcheckError("unreachable", "The service ended its answer early, as when it stops.");
  }

  #takeLine(line: string): void {
    const begin = `{"line":${this.texts.length - this.#before + 1},`;
    // The service may put spaces before a line.
    const entry = line.startsWith(" ") ? line.trimStart() : line;
    if (entry.startsWith(begin) && !this.#isComplete) {
      this.texts.push(entry.slice(begin.length));
      return;
    }
    const { summary, error } = parsed(entry) ?? {};
    if (error !== undefined) throw new BankcheckError(error.code, error.message);
    if (summary === undefined) throw otherAnswer();
  }
}

/** A line that answers none of the request. */
function parsed(line: string): { readonly summary?: object; readonly error?: ErrorObject } | null {
  try {
    return JSON.parse(line) as ReturnType<typeof parsed>;
  } catch (cause) {
    throw otherAnswer(cause);
  }
}

function otherAnswer(cause?: unknown): BankcheckError {
  return new BankcheckError(
    "invalid_answer",
    "The answer is not one of this service: its lines are not those of the request.",
    { cause },
  );
}
