import type { Language } from "../../contract/language.ts";
import { type VerdictWord, verdictOf } from "../../contract/verdict.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { element } from "../element.ts";
import { batchTexts, filled } from "../words.ts";

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
  readonly #found: (Verdict | undefined)[];
  /** Each verdict once, or the answers of 200,000 rows would take 40 MB. */
  readonly #shared = new Map<string, Verdict>();
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

  add(first: number, verdicts: readonly Verdict[]): void {
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
  of(row: number): Verdict | undefined {
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

/** How far a run has come, as a bar and in words. */
export class Progress {
  readonly element: HTMLElement;
  readonly #bar = element("progress", "");
  readonly #text = element("p", "progress");
  #began = 0;
  #before = 0;

  constructor() {
    this.element = element("div", { className: "bar", hidden: true }, this.#bar, this.#text);
  }

  /** The run begins or continues: its pace is measured anew. */
  restart({ checked }: Counts): void {
    this.#began = performance.now();
    this.#before = checked;
  }

  /** Shows how many rows have been checked; nothing before the run and after it. */
  show(language: Language, { checked, unchecked }: Counts, isRunning: boolean): void {
    const words = batchTexts[language];
    const number = (value: number) => value.toLocaleString(language);
    const seconds = Math.max(0.25, (performance.now() - this.#began) / 1_000);
    const pace = Number(((checked - this.#before) / seconds).toPrecision(2));
    const rows = checked + unchecked;
    this.element.hidden = unchecked === 0 || (checked === 0 && !isRunning);
    this.#bar.ariaLabel = words.progress;
    this.#bar.max = rows;
    this.#bar.value = checked;
    this.#text.textContent =
      filled(words.checkedOf, { checked: number(checked), rows: number(rows) }) +
      (isRunning && pace > 0 ? ` · ${filled(words.perSecond, { count: number(pace) })}` : "");
  }
}
