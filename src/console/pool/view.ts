import { pause } from "../../client/options.ts";
import type { ProcessesAnswer } from "../../contract/api-types.ts";
import { button, copyButton, element, Notice } from "../element.ts";
import type { Session, View } from "../session.ts";
import { filled, quantity, timeOf, poolTexts as words } from "../words.ts";
import { chartsFor, type ShownProcesses } from "./charts.ts";
import { type Diagnosis, diagnose, type SettingMaxima } from "./diagnosis.ts";
import { facts, figures, machineIn, markList, processName, processTable } from "./figures.ts";
import { History, keptSeconds } from "./history.ts";
import { plots } from "./plot.ts";
import { type Recent, recentOf } from "./rates.ts";

/** The build puts JSON in its place: an object would become a module of its own, which every other module initialises. */
declare const settingMaxima: string;
const maxima: SettingMaxima = JSON.parse(settingMaxima);

const pollIntervalMs = 1_000;
const pollTimeoutMs = 5_000;

/** How often the page changes for those who want little motion, in seconds. */
const calmPause = 5;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const storedRange = "bankcheck-pool-range";
const ranges = { minutes: 300, hour: keptSeconds } as const;

/** The pool at work: figures, charts of the last hour, settings and data, of all processes or of one. */
export class PoolView implements View {
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #history = new History();
  readonly #notice = new Notice();
  readonly #diagnosis = element("div", "");
  readonly #now = element("div", "");
  readonly #choices = element("div", "bar choices");
  readonly #plots = plots();
  readonly #settled = element("div", "stack settled");
  #asking = new AbortController();
  /** The newest reading there was, for the facts while the service is away. */
  #last: ProcessesAnswer | undefined;
  /** Number of the process that is shown; undefined for all together. */
  #process: number | undefined;
  #range: keyof typeof ranges = sessionStorage.getItem(storedRange) === "hour" ? "hour" : "minutes";
  #shownAt = 0;
  /** Since when the service has not answered with its figures, and why. */
  #fault: { readonly since: number; readonly error: unknown } | undefined;

  constructor(session: Session) {
    this.#session = session;
    const parts = [this.#diagnosis, this.#now, this.#choices, this.#plots.element, this.#settled];
    this.content = [element("div", "stack pool", this.#notice.element, ...parts)];
  }

  open(): void {
    document.addEventListener("visibilitychange", this.#seen);
    this.#seen();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#seen);
    this.#asking.abort();
    this.#history.interrupt(this.#session.now);
    this.#plots.make([]);
  }

  /** Asks while the page can be seen. */
  readonly #seen = () => {
    this.#asking.abort();
    this.#asking = new AbortController();
    if (document.hidden) this.#history.interrupt(this.#session.now);
    else void this.#poll(this.#asking.signal);
  };

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now();
      const until = AbortSignal.any([signal, AbortSignal.timeout(pollTimeoutMs)]);
      try {
        if (this.#history.isRecordDue) await this.#readRecord(until);
        const reading = await this.#session.ask(({ client }) => client.processes({ signal: until }));
        if (!signal.aborted) this.#take(reading);
      } catch (error) {
        if (!signal.aborted) this.#showError(error);
      }
      await pause(pollIntervalMs - (performance.now() - began), signal).catch(() => {});
    }
  }

  /** Reads what the service has recorded while this page did not look. */
  async #readRecord(signal: AbortSignal): Promise<void> {
    const recorded = await this.#session.ask(({ client }) => client.history({ signal }));
    this.#history.record(recorded, this.#session.now);
  }

  #take(reading: ProcessesAnswer): void {
    const before = this.#last && shapeOf(this.#last);
    this.#last = reading;
    this.#fault = undefined;
    this.#history.add(reading, this.#session.now);
    if (before === shapeOf(reading)) this.#refresh();
    else this.show();
  }

  #showError(error: unknown): void {
    const { now } = this.#session;
    this.#fault = { since: this.#fault?.since ?? now, error };
    this.#history.interrupt(now);
    this.#refresh();
  }

  get #shown(): ShownProcesses {
    const all = this.#last?.processes ?? [];
    return this.#process === undefined ? all : all.filter(({ number }) => number === this.#process);
  }

  /** Makes the charts again, for the current language and number of workers. */
  show(): void {
    if (this.#last?.processes.every(({ number }) => number !== this.#process)) this.#process = undefined;
    this.#plots.make(this.#last === undefined ? [] : chartsFor(this.#shown));
    this.#offerChoices();
    this.#shownAt = 0;
    this.#refresh();
  }

  #offerChoices(): void {
    /** Shows what was chosen, with the new choice in focus. */
    const show = (chosen: string) => {
      this.show();
      this.#choices.querySelector<HTMLElement>(chosen)?.focus();
    };
    const buttons = (["minutes", "hour"] as const).map((name) => {
      const made = button("quiet", words[name], () => {
        this.#range = name;
        sessionStorage.setItem(storedRange, name);
        show("[aria-pressed=true]");
      });
      made.ariaPressed = String(name === this.#range);
      return made;
    });
    const groupOf = { className: "bar segments", role: "group", ariaLabel: words.range };
    const group = element("div", groupOf, ...buttons);
    const all = this.#last?.processes ?? [];
    const options = all.map(({ number }) => new Option(processName(number), String(number)));
    const choiceOf = { ariaLabel: words.processes, hidden: all.length < 2 };
    const choice = element("select", choiceOf, new Option(words.allProcesses, ""), ...options);
    choice.value = String(this.#process ?? "");
    choice.onchange = () => {
      this.#process = choice.value === "" ? undefined : Number(choice.value);
      show("select");
    };
    this.#choices.replaceChildren(group, choice);
    this.#choices.hidden = all.length === 0;
  }

  #refresh(): void {
    this.#notice.say(this.#state(), this.#fault !== undefined);
    const now = this.#session.now;
    if (calm.matches && now - this.#shownAt < calmPause) return;
    this.#shownAt = now;
    const moments = this.#history.momentsOf(this.#process);
    const marks = this.#history.marksOf(this.#process).filter(({ at }) => at > now - ranges[this.#range]);
    const recent = recentOf(moments);
    this.#showDiagnosis(recent);
    this.#now.replaceChildren(figures(recent, this.#shown));
    this.#plots.show({ moments, marks, seconds: ranges[this.#range] });
    if (this.#last === undefined) return;
    // A table that is scrolled or in focus stays the same element.
    const table = processTable(this.#last, (process) => this.#history.latestOf(process), now);
    const shown = this.#settled.querySelector(".scrolled") ?? table;
    const list = markList(marks, this.#last.processes.length > 1);
    shown.ariaLabel = words.processes;
    shown.replaceChildren(...table.children);
    this.#settled.replaceChildren(shown, list, facts(this.#last));
  }

  #showDiagnosis(recent: Recent | undefined): void {
    const found = this.#last && diagnose(recent, this.#last, maxima, this.#shown);
    this.#diagnosis.hidden = found === undefined;
    if (found === undefined) return;
    const text = sentenceOf(found, recent!);
    const { severity, advice } = found;
    this.#diagnosis.className = `diagnosis card stack tight ${severity}`;
    if (this.#diagnosis.dataset["shown"] === text + advice) return;
    this.#diagnosis.dataset["shown"] = text + advice;
    this.#diagnosis.replaceChildren(element("p", "", text));
    if (advice === undefined || advice === "machine") return;
    const copying = copyButton(() => advice, advice);
    this.#diagnosis.append(element("p", "bar", `${words.paste}: `, element("code", "", advice), copying));
  }

  #state(): string {
    if (this.#fault === undefined) return this.#last === undefined ? words.waiting : "";
    const { since, error } = this.#fault;
    const sentence = this.#session.sentenceOf(error);
    return sentence === words.unreachable ? filled(words.away, { time: timeOf(since) }) : sentence;
  }
}

/** The state of the service, what limits it, by which figures, and what helps. */
function sentenceOf({ limit, severity, advice }: Diagnosis, recent: Recent): string {
  const share = (value: number) => quantity(value, "share");
  const what = filled(words.limits[limit], {
    ...machineIn(recent),
    frontEnd: share(recent.frontEnd),
    workers: share(recent.workers),
    waiting: quantity(recent.waiting, "requests"),
  });
  const refused = recent.refused > 0 ? filled(words.refusing, { refused: share(recent.refusedShare) }) : "";
  const isFault = limit === "noData" || limit === "failing";
  const state = isFault || severity === "calm" ? "" : severity === "act" ? words.full : words.near;
  return [state, what, refused, advice === "machine" ? words.anotherMachine : ""].filter(Boolean).join(" ");
}

/** The charts and choices depend on this. */
function shapeOf({ processes }: ProcessesAnswer): string {
  return processes.map(({ number, metrics }) => `${number}:${metrics.pool.size}`).join();
}
