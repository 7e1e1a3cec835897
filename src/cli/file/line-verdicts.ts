import type { AccountCheckAnswer, ErrorAnswer } from "../../client/api-types.ts";
import { BankcheckError } from "../../client/errors.ts";
import { decoded, encoded } from "../../rows/text.ts";
import { type Verdict, verdictOfAnswer, verdictOfRefusal } from "../../rows/verdict.ts";

/** How many lines are remembered at some 900 bytes each. */
const maxKnown = 16_384;

/** Reads the verdicts from answers with a line of JSON for each number; equal lines share theirs. */
export class LineVerdicts {
  readonly #known = new Map<string, Verdict>();

  /**
   * The verdict of a line: an object without its opening brace, one character for each byte. Throws where it is not an answer
   * to one number.
   */
  read(line: string): Verdict {
    const known = this.#known.get(line);
    if (known !== undefined) return known;
    const verdict = verdictOfLine(`{${line}`);
    // An IBAN, or what was probably meant, makes the line one of a kind.
    if (typeof verdict.data?.iban === "string" || verdict.data?.suggestions != null) return verdict;
    if (this.#known.size === maxKnown) this.#known.clear();
    // A part of a text keeps all of it in memory; a copy does not.
    this.#known.set(Buffer.from(line, "latin1").toString("latin1"), verdict);
    return verdict;
  }
}

/** An answer whose data may be beside the result. */
type LineAnswer = Omit<AccountCheckAnswer, "data"> & { readonly data?: AccountCheckAnswer["data"] };

function verdictOfLine(line: string): Verdict {
  const answer = parsedBytes(line) as LineAnswer | ErrorAnswer;
  if (!("error" in answer)) {
    const { status, message, data = answer as unknown as AccountCheckAnswer["data"] } = answer;
    return verdictOfAnswer({ status, message, data });
  }
  const { code, message } = answer.error;
  const error = new BankcheckError(code, message);
  const verdict = verdictOfRefusal(error);
  if (verdict === undefined) throw error;
  return verdict;
}

/** Escapes become characters, so a line that has any is written without them first. */
function parsedBytes(line: string): unknown {
  if (!line.includes("\\u")) return JSON.parse(line);
  return JSON.parse(encoded(JSON.stringify(JSON.parse(decoded(line, "utf-8")))));
}
