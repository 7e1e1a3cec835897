import type { AccountCheckAnswer, ErrorAnswer } from "../../client/api-types.ts";
import { BankcheckError } from "../../client/errors.ts";
import { type Verdict, verdictOfAnswer, verdictOfRefusal } from "../../rows/verdict.ts";

/** How many lines are remembered at some 900 bytes each. */
const maxKnown = 16_384;

/** Reads the verdicts from answers with a line of JSON for each account; equal lines share theirs. */
export class LineVerdicts {
  readonly #known = new Map<string, Verdict>();

  /** The verdicts of an answer, in order. Throws where a line is not an answer or the error of one account. */
  read(text: string): Verdict[] {
    return text.split("\n").map((line) => this.#known.get(line) ?? this.#remembered(line));
  }

  #remembered(line: string): Verdict {
    const verdict = verdictOfLine(JSON.parse(line) as AccountCheckAnswer | ErrorAnswer);
    // An IBAN makes the line one of a kind.
    if (typeof verdict.data?.iban === "string") return verdict;
    if (this.#known.size === maxKnown) this.#known.clear();
    // A part of a text keeps all of it in memory; a copy does not.
    this.#known.set(Buffer.from(line, "latin1").toString("latin1"), verdict);
    return verdict;
  }
}

function verdictOfLine(answer: AccountCheckAnswer | ErrorAnswer): Verdict {
  if (!("error" in answer)) return verdictOfAnswer(answer);
  const { code, message } = answer.error;
  const error = new BankcheckError(code, message);
  const verdict = verdictOfRefusal(error);
  if (verdict === undefined) throw error;
  return verdict;
}
