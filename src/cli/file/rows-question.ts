import { endedEarly, incompleteAnswer, otherAnswer } from "../../client/answer-lines.ts";
import type { StreamedBody } from "../../client/fetch-answer.ts";
import type { SummaryLine } from "../../contract/api-types.ts";

/**
 * Asks rows of CSV; those that have come are not asked again where the answer is cut off. `read` returns what each row adds
 * to its question, and throws a BankcheckError if they are not exactly one for each, in order.
 *
 * @param asked without line breaks, with one character for each byte.
 */
export function rowsQuestion(asked: readonly string[], delimiter: string) {
  /** What each row that has come adds to its question. */
  const rows: string[] = [];
  /** What has come after them. */
  let rest = "";
  /** How many rows had come before this attempt. */
  let before = 0;

  const body: StreamedBody = {
    mediaType: "text/csv",
    get answered() {
      return rows.length;
    },
    get isComplete() {
      return rows.length === asked.length;
    },
    begin: () => {
      before = rows.length;
      rest = "";
      return Buffer.from(`${asked.slice(before).join("\n")}\n`, "latin1");
    },
    take: ({ buffer, byteOffset, length }) => {
      const text = rest + Buffer.from(buffer, byteOffset, length).toString("latin1");
      let at = 0;
      while (!body.isComplete) {
        const question = asked[rows.length]! + delimiter;
        const end = text.startsWith(question, at) ? text.indexOf("\n", at) : -1;
        if (end < 0) break;
        rows.push(text.slice(at + question.length, end));
        at = end + 1;
      }
      rest = text.slice(at);
    },
  };

  const read = (): readonly string[] => {
    const summary = summaryIn(rest);
    if (summary === undefined || summary.next_line !== undefined) {
      // What is cut off after its last row lacks nothing, and an empty question would be refused.
      if (body.isComplete && /^(?:#|$)/.test(rest)) return rows;
      throw rows.length === before && /^[^#\d]/.test(rest) ? otherAnswer() : endedEarly();
    }
    const { lines, valid, invalid, errors } = summary;
    const isWhole = body.isComplete && rows.length - before === lines && rest.startsWith("#");
    if (isWhole && valid + invalid + errors === lines) return rows;
    throw incompleteAnswer();
  };
  return { body, read };
}

/** The summary is in the last line. */
function summaryIn(end: string): SummaryLine["summary"] | undefined {
  try {
    const last = end.trimEnd().split("\n").at(-1)!;
    return last.startsWith("# ") ? (JSON.parse(last.slice(2)) as Partial<SummaryLine>).summary : undefined;
  } catch {
    return undefined;
  }
}
