import type { Language } from "../../contract/language.ts";
import { checkMessages } from "../../contract/messages/check-messages.ts";
import { type VerdictWord, verdictOf } from "../../contract/verdict.ts";
import type { Verdict } from "../../rows/verdict.ts";

/** The verdict on a row, and the language in which the service has worded it. */
export interface RowVerdict extends Verdict {
  readonly language: Language;
}

/** Which rows are shown: all, or those of a verdict, or of a reason for an error or a warning. */
export type Filter = "all" | VerdictWord | "unchecked" | `reason:${string}`;

/** How many rows have which verdict: these and `unchecked` add up to all rows. */
export interface Counts extends Readonly<Record<VerdictWord, number>> {
  readonly checked: number;
  readonly unchecked: number;
  /** Rows with an error or a warning by reason, the most frequent first. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** The results of a table's rows; rows of one bank share theirs. */
export class Results {
  readonly size: number;
  readonly #found: (RowVerdict | undefined)[];
  /** Each verdict once, or the answers of 200,000 rows would take 40 MB. */
  readonly #shared = new Map<string, RowVerdict>();
  readonly #reasons = new Map<string, number>();
  readonly #words: Record<VerdictWord, number> = { valid: 0, doubtful: 0, invalid: 0 };

  constructor(rows: number) {
    this.size = rows;
    this.#found = new Array(rows).fill(undefined);
  }

  get counts(): Counts {
    const { valid, doubtful, invalid } = this.#words;
    const checked = valid + doubtful + invalid;
    return {
      ...this.#words,
      checked,
      unchecked: this.size - checked,
      reasons: new Map(
        [...this.#reasons].filter(([, times]) => times > 0).sort(([, one], [, other]) => other - one),
      ),
    };
  }

  add(first: number, verdicts: readonly RowVerdict[]): void {
    for (let index = 0; index < verdicts.length; index++) {
      const key = JSON.stringify(verdicts[index]);
      const known = this.#shared.get(key);
      const verdict = known ?? verdicts[index]!;
      if (known === undefined) this.#shared.set(key, verdict);
      this.#count(this.#found[first + index], -1);
      this.#found[first + index] = verdict;
      this.#count(verdict, 1);
    }
  }

  #count(verdict: Verdict | undefined, by: number): void {
    if (verdict === undefined) return;
    const word = wordOf(verdict);
    this.#words[word] += by;
    if (word !== "valid") this.#reasons.set(verdict.reason, (this.#reasons.get(verdict.reason) ?? 0) + by);
  }

  /** The verdict on a row; undefined as long as it is not checked. */
  of(row: number): RowVerdict | undefined {
    return this.#found[row];
  }

  passes(row: number, filter: Filter): boolean {
    const verdict = this.#found[row];
    if (filter === "all") return true;
    if (verdict === undefined) return filter === "unchecked";
    return filter === wordOf(verdict) || filter === `reason:${verdict.reason}`;
  }
}

/** The verdict on a row in one of the three words. */
export function wordOf({ valid, reason }: Verdict): VerdictWord {
  return verdictOf(valid, reason);
}

/** The service's sentences by their text in every language. */
const sentences = new Map(
  Object.values(checkMessages).flatMap((sentence: Readonly<Record<Language, string>>) =>
    Object.values(sentence).map((text) => [text, sentence]),
  ),
);

/** Returns what a verdict says, in the language of the page, which may have changed since the row was checked. */
export function messageIn(language: Language, { message, reason, language: given }: RowVerdict): string {
  if (language === given) return message;
  const found = message.split(/(?<=\.) /).map((sentence) => sentences.get(sentence)?.[language]);
  if (!found.includes(undefined)) return found.join(" ");
  // A sentence that names a number or a bank is known only in the language in which it came.
  const named = checkMessages as Readonly<Record<string, Readonly<Record<Language, string>>>>;
  return named[reason]?.[language] ?? message;
}
