import type { Language } from "../../contract/check-messages.ts";
import type { Verdict } from "../../rows/verdict.ts";
import { element, figure } from "../element.ts";
import { batchTexts, filled } from "../words.ts";

/** Which rows are shown: all, or those of a verdict, of a reason, or whose bank is not known. */
export type Filter = "all" | "valid" | "invalid" | "unknownBank" | "unchecked" | `reason:${string}`;

/** How many rows have which result: `valid`, `invalid` and `unchecked` add up to all rows. */
export interface Counts {
  readonly valid: number;
  readonly invalid: number;
  /** Valid rows whose bank is not known. */
  readonly unknownBank: number;
  readonly checked: number;
  readonly unchecked: number;
  /** Invalid rows by reason, the most frequent first. */
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
  #unknownBank = 0;

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
      unknownBank: this.#unknownBank,
      checked,
      unchecked: this.size - checked,
      reasons: new Map([...this.#reasons].sort(([, one], [, other]) => other - one)),
    };
  }

  add(first: number, verdicts: readonly Verdict[]): void {
    for (let index = 0; index < verdicts.length; index++) {
      const key = JSON.stringify(verdicts[index]);
      const known = this.#shared.get(key);
      const verdict = known ?? verdicts[index]!;
      if (known === undefined) this.#shared.set(key, verdict);
      this.#found[first + index] = verdict;
      if (verdict.valid) {
        this.#valid++;
        if (hasNoBank(verdict)) this.#unknownBank++;
      } else {
        this.#invalid++;
        this.#reasons.set(verdict.reason, (this.#reasons.get(verdict.reason) ?? 0) + 1);
      }
    }
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
    if (filter === "unknownBank") return verdict.valid && hasNoBank(verdict);
    return !verdict.valid && `reason:${verdict.reason}` === filter;
  }
}

function hasNoBank({ data }: Verdict): boolean {
  return (data?.bank ?? "") === "";
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
