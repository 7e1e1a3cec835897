import type { Language } from "../../contract/language.ts";
import { checkMessages } from "../../contract/messages/check-messages.ts";
import { type VerdictWord, verdictOf, verdictWords } from "../../contract/verdict.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { batchTexts, filled, language, reasonText } from "../words.ts";

/** The verdict on a number, and the language in which the service has worded it. */
export interface RowVerdict extends Verdict {
  readonly language: Language;
}

/** Which rows are shown: all, or those of a verdict, or of a reason for an error or a warning. */
export type Filter = "all" | VerdictWord | "unchecked" | `reason:${string}`;

/** The verdicts on the numbers of a table; those of one bank share theirs. */
export class Results {
  readonly size: number;
  /** Whether all that was paid for has been downloaded. */
  isSaved = false;
  readonly #found: (RowVerdict | undefined)[];
  /** Each verdict once, or the answers of 200,000 rows would take 40 MB. */
  readonly #shared = new Map<string, RowVerdict>();
  readonly #reasons = new Map<string, number>();
  readonly #words: Record<VerdictWord, number> = { valid: 0, doubtful: 0, invalid: 0 };

  constructor(size: number) {
    this.size = size;
    this.#found = new Array(size).fill(undefined);
  }

  /** How many have which verdict, and those with an error or a warning by reason, the most frequent first. */
  get counts() {
    const { valid, doubtful, invalid } = this.#words;
    const checked = valid + doubtful + invalid;
    const counted = [...this.#reasons].filter(([, times]) => times > 0);
    const reasons = counted.sort(([, one], [, other]) => other - one);
    return { ...this.#words, checked, unchecked: this.size - checked, reasons };
  }

  add(first: number, verdicts: readonly RowVerdict[]): void {
    this.isSaved = false;
    for (const [index, given] of verdicts.entries()) {
      const key = JSON.stringify(given);
      const verdict = this.#shared.get(key) ?? given;
      this.#shared.set(key, verdict);
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

  /** The verdict on a number; undefined as long as it is not checked. */
  of(place: number): RowVerdict | undefined {
    return this.#found[place];
  }

  passes(place: number, filter: Filter): boolean {
    const verdict = this.#found[place];
    if (filter === "all") return true;
    if (verdict === undefined) return filter === "unchecked";
    return filter === wordOf(verdict) || filter === `reason:${verdict.reason}`;
  }
}

export function wordOf({ valid, reason }: Verdict): VerdictWord {
  return verdictOf(valid, reason);
}

/** The verdict in a few words, or in the service's own sentence. */
export function verdictText(verdict: Verdict): string {
  const { valid, reason, message } = verdict;
  return reasonText(reason) ?? (valid ? verdictWords[wordOf(verdict)][language] : message);
}

/** Names the reasons of a table, with the number of their rows. */
export function reasonTexts({ counts }: Results): [reason: string, text: string][] {
  return counts.reasons.map(([reason, count]) => [
    reason,
    `${reasonText(reason) ?? reason} (${count.toLocaleString(language)})`,
  ]);
}

/** Says how many rows need attention, and why. */
export function summaryOf(results: Results): string {
  const { doubtful, invalid } = results.counts;
  const count = doubtful + invalid;
  return filled(count === 0 ? batchTexts.allRight : batchTexts.attention, {
    count: count.toLocaleString(language),
    all: results.size.toLocaleString(language),
    reasons: reasonTexts(results)
      .map(([, text]) => text)
      .join(", "),
  });
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
