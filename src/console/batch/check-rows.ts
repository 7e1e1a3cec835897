import type { AnswerFacts } from "../../client/exchange.ts";
import { type RequestSender, sendLines } from "../../client/sender.ts";
import { BatchVerdicts, LineVerdicts } from "../../rows/known-verdicts.ts";
import type { Verdict } from "../../rows/verdict.ts";
import type { RowNumber } from "./columns.ts";

/** Asks the service, as `Session.send` does. */
type Send = <Answer>(call: (sender: RequestSender) => Promise<Answer>) => Promise<Answer>;

/** Fields of a line's answer; an IBAN is not among them, so that lines of one bank are the same. */
const lineFields = "valid,status,message,reason,bic,blz,bank,zip,location,country,sepa_methods,error,edition";

/** Has the service check rows: plain IBANs in batches, all other numbers as lines of a stream. */
export class RowChecks {
  readonly #send: Send;
  readonly #batches = new BatchVerdicts();
  readonly #lines = new LineVerdicts();
  /** Answers to lines by the first row of their batch: after a fault only the rest is sent again, since each counts. */
  readonly #answered = new Map<number, string[]>();
  #edition = "";

  constructor(send: Send) {
    this.#send = send;
  }

  /** The edition of the bank data that answered last. */
  get edition(): string {
    return this.#edition;
  }

  /** Returns a verdict for each number of the batch that begins with row `first`, in order. Rejects as `Session.send` does. */
  async check(
    first: number,
    numbers: readonly RowNumber[],
    signal: AbortSignal,
  ): Promise<readonly Verdict[]> {
    if (numbers.every((number) => typeof number === "string")) return this.#checkBatch(numbers, signal);
    const isAccount = numbers.some((number) => typeof number === "object" && "blz" in number);
    const path = `/v1/stream?reason=1&fields=${lineFields}${isAccount ? ",iban&sepa=1" : ""}`;
    const lines = numbers.map(lineOf);
    const answers = this.#answered.get(first) ?? [];
    this.#answered.set(first, answers);
    await this.#send((sender) => sendLines(sender, lines, { path, signal, onAnswer: this.#took, answers }));
    this.#answered.delete(first);
    return answers.map((answer) => this.#lines.read(answer));
  }

  #checkBatch(ibans: readonly string[], signal: AbortSignal): Promise<readonly Verdict[]> {
    const read = (text: string, facts: AnswerFacts) => {
      this.#took(facts);
      return this.#batches.read(text);
    };
    const body = JSON.stringify({ ibans });
    return this.#send((sender) => sender.send({ path: "/v1/iban?reason=1", body, signal, read }));
  }

  readonly #took = ({ edition }: AnswerFacts) => {
    this.#edition = edition ?? this.#edition;
  };
}

function lineOf(number: RowNumber): string {
  if (typeof number === "string") return JSON.stringify({ iban: number });
  if ("iban" in number) return JSON.stringify(number);
  return JSON.stringify({ kontonummer: number.kontonummer, bankleitzahl: number.blz });
}
