import type uPlot from "uplot";
import { element } from "../element.ts";
import { filled } from "../filled.ts";
import { ServiceError } from "../service-error.ts";
import type { Session } from "../session.ts";
import type { View } from "../view.ts";
import { chartsFor, queueLimit } from "./charts.ts";
import { diagnose } from "./diagnosis.ts";
import { facts, figures } from "./figures.ts";
import { History } from "./history.ts";
import { Numbers } from "./numbers.ts";
import { PlottedChart } from "./plot.ts";
import { Poll } from "./poll.ts";
import type { Reading } from "./reading.ts";
import { type PoolWords, poolWords } from "./words.ts";

/** How often the page changes for those who want little motion, in seconds. */
const calmPause = 5;

const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The pool at work: figures, charts of the last five minutes, settings and data of the process that answers. */
export class PoolView implements View {
  readonly needsKey = true;
  readonly #history = new History();
  readonly #notice = element("p", "notice");
  /** What limits the service, in a sentence. */
  readonly #diagnosis = element("p", "diagnosis");
  readonly #now = element("div", "");
  readonly #charts = element("div", "charts");
  readonly #settled = element("div", "");
  readonly #poll: Poll<Reading>;
  #session!: Session;
  #plotted: readonly PlottedChart[] = [];
  #library: typeof uPlot | undefined;
  /** The newest reading there was, for the facts while the service is away. */
  #last: Reading | undefined;
  #shownAt = 0;
  #awaySince: number | undefined;
  /** What the service says instead of its figures. */
  #refusal: string | undefined;

  constructor() {
    this.#notice.role = "status";
    this.#poll = new Poll({
      read: (signal) => this.#session.ask<Reading>("/service/metrics", undefined, signal),
      took: (reading) => this.#took(reading),
      failed: (error) => this.#missed(error),
      paused: () => this.#history.interrupt(seconds()),
    });
  }

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    into.replaceChildren(
      element("div", "pool", this.#notice, this.#diagnosis, this.#now, this.#charts, this.#settled),
    );
    dark.addEventListener("change", this.#drawAll);
    this.#arrange();
    this.#poll.start();
  }

  close(): void {
    this.#poll.stop();
    this.#history.interrupt(seconds());
    dark.removeEventListener("change", this.#drawAll);
    this.#clear();
  }

  setLanguage(): void {
    this.#arrange();
  }

  #took(reading: Reading): void {
    const workers = this.#last?.pool.size;
    this.#last = reading;
    this.#awaySince = undefined;
    this.#history.add(reading, seconds());
    if (workers === reading.pool.size) this.#show();
    else this.#arrange();
    if (this.#library === undefined) void this.#load();
  }

  #missed(error: unknown): void {
    this.#awaySince ??= seconds();
    this.#refusal = error instanceof ServiceError ? error.message : undefined;
    this.#history.interrupt(seconds());
    this.#show();
  }

  /** Makes the charts anew, in the language and for the number of workers there are now. */
  #arrange(): void {
    this.#clear();
    if (this.#last !== undefined) {
      const words = poolWords[this.#session.language];
      const numbers = new Numbers(this.#session.language);
      this.#plotted = chartsFor(this.#last, words).map((chart) => new PlottedChart(chart, numbers, words));
      this.#charts.replaceChildren(...this.#plotted.map((plotted) => plotted.element));
      this.#drawAll();
    }
    this.#shownAt = 0;
    this.#show();
  }

  #clear(): void {
    for (const plotted of this.#plotted) plotted.close();
    this.#plotted = [];
    this.#charts.replaceChildren();
  }

  /** Without the library, which the service may not have sent yet, the values stand as text alone. */
  async #load(): Promise<void> {
    try {
      this.#library = (await import("uplot")).default;
      this.#drawAll();
    } catch {
      // The next reading tries again.
    }
  }

  readonly #drawAll = () => {
    if (this.#library === undefined) return;
    for (const plotted of this.#plotted) plotted.draw(this.#library);
  };

  #show(): void {
    this.#tellState();
    const now = seconds();
    if (calm.matches && now - this.#shownAt < calmPause) return;
    this.#shownAt = now;
    const words = poolWords[this.#session.language];
    const numbers = new Numbers(this.#session.language);
    this.#showDiagnosis(words);
    this.#now.replaceChildren(figures(this.#history.latest, numbers, words));
    this.#settled.replaceChildren(...(this.#last === undefined ? [] : [facts(this.#last, numbers, words)]));
    for (const plotted of this.#plotted) plotted.show(this.#history.moments);
  }

  #showDiagnosis(words: PoolWords): void {
    const found = diagnose(this.#history.moments);
    const pool = this.#last?.pool;
    this.#diagnosis.hidden = found === undefined || pool === undefined;
    if (found === undefined || pool === undefined) return;
    const values = { processes: 2, more: pool.size + 1, queue: 2 * (queueLimit(this.#last) ?? 0) };
    const text = filled(words[found.name], values);
    if (this.#diagnosis.textContent !== text) this.#diagnosis.textContent = text;
    this.#diagnosis.className = `diagnosis card ${found.severity}`;
  }

  /** Changes the notice only where it says something else, since every change is read out. */
  #tellState(): void {
    const text = this.#state();
    if (this.#notice.textContent !== text) this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", this.#awaySince !== undefined);
  }

  #state(): string {
    const words = poolWords[this.#session.language];
    if (this.#awaySince === undefined) return this.#last === undefined ? words.waiting : "";
    const time = new Numbers(this.#session.language).time(this.#awaySince);
    return this.#refusal ?? filled(words.away, { time });
  }
}

function seconds(): number {
  return Date.now() / 1_000;
}
