import { element } from "../element.ts";
import { batchTexts, filled, language } from "../words.ts";
import type { Counts } from "./results.ts";

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
  show({ checked, unchecked }: Counts, isRunning: boolean): void {
    const words = batchTexts;
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
