import { element } from "../element.ts";
import type { Language } from "../words.ts";
import type { Counts } from "./results.ts";
import { batchSentences, batchTexts } from "./words.ts";

/** How far a run has come, as a bar, in words and in figures. */
export class Progress {
  readonly bar = element("progress", "") as HTMLProgressElement;
  readonly text = element("p", "progress");
  readonly figures = element("dl", "figures");
  readonly #rows: number;
  #pace = new Pace();

  constructor(rows: number) {
    this.#rows = rows;
    this.bar.max = rows;
  }

  /** The run begins or goes on: its pace is measured anew. */
  restart(): void {
    this.#pace = new Pace();
  }

  /** So many rows more have been checked. */
  count(rows: number): void {
    this.#pace.count(rows);
  }

  hide(): void {
    this.bar.hidden = this.text.hidden = this.figures.hidden = true;
  }

  show(language: Language, counts: Counts, isGoing: boolean): void {
    const words = batchTexts[language];
    const sentences = batchSentences[language];
    const number = (value: number) => value.toLocaleString(language);
    const unchecked = this.#rows - counts.checked;
    const speed = this.#pace.perSecond;
    this.bar.hidden = this.text.hidden = this.figures.hidden = false;
    this.bar.ariaLabel = words.progress;
    this.bar.value = counts.checked;
    this.bar.hidden = unchecked === 0;
    this.text.textContent =
      sentences.progress(number(counts.checked), number(this.#rows)) +
      (isGoing && speed > 0 ? ` · ${sentences.speed(number(speed))}` : "");
    const values = { ...counts, unchecked };
    this.figures.replaceChildren(
      ...(["valid", "invalid", "unchecked"] as const).map((name) =>
        element("div", name, element("dt", "", words[name]), element("dd", "", number(values[name]))),
      ),
    );
  }
}

/** How many rows are checked in a second, over the last few seconds. */
class Pace {
  readonly #moments: { readonly at: number; readonly count: number }[] = [];
  #count = 0;

  count(rows: number): void {
    const at = performance.now();
    this.#count += rows;
    this.#moments.push({ at, count: this.#count });
    while (at - this.#moments[0]!.at > 3_000) this.#moments.shift();
  }

  /** To two digits; 0 as long as it cannot be told. */
  get perSecond(): number {
    const [first] = this.#moments;
    const last = this.#moments.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < 250) return 0;
    return Number((((last.count - first.count) * 1_000) / (last.at - first.at)).toPrecision(2));
  }
}
