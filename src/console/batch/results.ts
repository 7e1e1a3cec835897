import type { Language } from "../../contract/language.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { element, figure } from "../element.ts";
import { batchTexts, filled } from "../words.ts";

/** Which rows are shown: all, or those of a verdict, or of a reason for an error or a warning. */
export type Filter = "all" | "valid" | "invalid" | "unchecked" | `reason:${string}`;

/** How many rows have which result: `valid`, `invalid` and `unchecked` add up to all rows. */
export interface Counts {
  readonly valid: number;
  readonly invalid: number;
  readonly checked: number;
  readonly unchecked: number;
  /** Rows with an error or a warning, and how many of them by reason, the most frequent first. */
  readonly doubtful: number;
  readonly reasons: ReadonlyMap<string, number>;
}

/** The results of a table's rows; rows of one bank share theirs. */
export class Results {
  readonly #found: (Verdict | undefined)[];
  /** Each verdict once, or the answers of 200,000 rows would take 40 MB. */
  readonly #shared = new Map<string, Verdict>();
  readonly #reasons = new Map<string, number>();
  #valid = 0;
  #invalid = 0;
  #doubtful = 0;

  constructor(rows: number) {
    this.#found = new Array(rows).fill(undefined);
  }

  get size(): number {
    return this.#found.length;
  }

  get counts(): Counts {
    const checked = this.#valid + this.#invalid;
    return {
      valid: this.#valid,
      invalid: this.#invalid,
      doubtful: this.#doubtful,
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
    const { valid, reason } = verdict;
    if (valid) this.#valid += by;
    else this.#invalid += by;
    if (valid && reason === "") return;
    this.#doubtful += by;
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + by);
  }

  /** The verdict on a row; undefined as long as it is not checked. */
  of(row: number): Verdict | undefined {
    return this.#found[row];
  }

  passes(row: number, filter: Filter): boolean {
    const verdict = this.#found[row];
    if (filter === "all") return true;
    if (verdict === undefined || filter === "unchecked")
      return verdict === undefined && filter === "unchecked";
    if (filter === "valid") return verdict.valid;
    if (filter === "invalid") return !verdict.valid;
    return `reason:${verdict.reason}` === filter;
  }
}

/** How far a run has come, as a bar, in words and in figures. */
export class Progress {
  readonly bar = element("progress", "");
  readonly text = element("p", "progress");
  readonly figures = element("dl", "figures");
  /** How many rows had been checked at moments of the last few seconds. */
  #moments: { readonly at: number; readonly count: number }[] = [];
  #count = 0;

  /** The run begins or continues: its pace is measured anew. */
  restart(): void {
    this.#moments = [];
  }

  count(rows: number): void {
    const at = performance.now();
    this.#count += rows;
    this.#moments.push({ at, count: this.#count });
    while (at - this.#moments[0]!.at > 3_000) this.#moments.shift();
  }

  /** Rows per second, to two digits; 0 as long as it is unknown. */
  get #pace(): number {
    const [first] = this.#moments;
    const last = this.#moments.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < 250) return 0;
    return Number((((last.count - first.count) * 1_000) / (last.at - first.at)).toPrecision(2));
  }

  hide(): void {
    this.bar.hidden = this.text.hidden = this.figures.hidden = true;
  }

  show(language: Language, counts: Counts, isRunning: boolean): void {
    const words = batchTexts[language];
    const number = (value: number) => value.toLocaleString(language);
    const speed = this.#pace;
    const rows = counts.checked + counts.unchecked;
    this.bar.hidden = this.text.hidden = this.figures.hidden = false;
    this.bar.ariaLabel = words.progress;
    this.bar.max = rows;
    this.bar.value = counts.checked;
    this.bar.hidden = counts.unchecked === 0;
    this.text.textContent =
      filled(words.checkedOf, { checked: number(counts.checked), rows: number(rows) }) +
      (isRunning && speed > 0 ? ` · ${filled(words.perSecond, { count: number(speed) })}` : "");
    this.figures.replaceChildren(
      ...(["valid", "invalid", "unchecked"] as const).map((name) =>
        figure(words[name], number(counts[name]), name),
      ),
    );
  }
}
