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
export function poolView(session: Session): View {
  const history = new History();
  const notice = new Notice();
  const diagnosis = element("div", "");
  const current = element("div", "");
  const choices = element("div", "bar choices");
  const charts = plots();
  const settled = element("div", "stack settled");
  const parts = [notice.element, diagnosis, current, choices, charts.element, settled];
  let asking = new AbortController();
  /** The newest reading there was, for the facts while the service is away. */
  let last: ProcessesAnswer | undefined;
  /** Number of the process that is shown; undefined for all together. */
  let chosen: number | undefined;
  let range: keyof typeof ranges = sessionStorage.getItem(storedRange) === "hour" ? "hour" : "minutes";
  let shownAt = 0;
  /** Since when the service has not answered with its figures, and why. */
  let fault: { readonly since: number; readonly error: unknown } | undefined;

  /** Asks while the page can be seen. */
  function seen(): void {
    asking.abort();
    asking = new AbortController();
    if (document.hidden) history.interrupt(session.now);
    else void poll(asking.signal);
  }

  async function poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now();
      try {
        const reading = await read(AbortSignal.any([signal, AbortSignal.timeout(pollTimeoutMs)]));
        if (signal.aborted) return;
        const before = last && shapeOf(last);
        last = reading;
        fault = undefined;
        history.add(reading, session.now);
        if (before === shapeOf(reading)) refresh();
        else show();
      } catch (error) {
        if (signal.aborted) return;
        fault = { since: fault?.since ?? session.now, error };
        history.interrupt(session.now);
        refresh();
      }
      await pause(pollIntervalMs - (performance.now() - began), signal).catch(() => {});
    }
  }

  /** Reads all processes, and before that what the service has recorded while this page did not look. */
  async function read(signal: AbortSignal): Promise<ProcessesAnswer> {
    if (history.isRecordDue)
      history.record(await session.ask(({ client }) => client.history({ signal })), session.now);
    return session.ask(({ client }) => client.processes({ signal }));
  }

  function shownProcesses(): ShownProcesses {
    const all = last?.processes ?? [];
    return chosen === undefined ? all : all.filter(({ number }) => number === chosen);
  }

  /** Makes the charts again, for the current language and number of workers. */
  function show(): void {
    if (last?.processes.every(({ number }) => number !== chosen)) chosen = undefined;
    charts.make(last === undefined ? [] : chartsFor(shownProcesses()));
    offerChoices();
    shownAt = 0;
    refresh();
  }

  function offerChoices(): void {
    /** Shows what was chosen, with the new choice in focus. */
    const showChosen = (focused: string) => {
      show();
      choices.querySelector<HTMLElement>(focused)?.focus();
    };
    const buttons = (["minutes", "hour"] as const).map((name) => {
      const made = button("quiet", words[name], () => {
        range = name;
        sessionStorage.setItem(storedRange, name);
        showChosen("[aria-pressed=true]");
      });
      made.ariaPressed = String(name === range);
      return made;
    });
    const groupOf = { className: "bar segments", role: "group", ariaLabel: words.range };
    const group = element("div", groupOf, ...buttons);
    const all = last?.processes ?? [];
    const options = all.map(({ number }) => new Option(processName(number), String(number)));
    const choiceOf = { ariaLabel: words.processes, hidden: all.length < 2 };
    const choice = element("select", choiceOf, new Option(words.allProcesses, ""), ...options);
    choice.value = String(chosen ?? "");
    choice.onchange = () => {
      chosen = choice.value === "" ? undefined : Number(choice.value);
      showChosen("select");
    };
    choices.replaceChildren(group, choice);
    choices.hidden = all.length === 0;
  }

  function refresh(): void {
    notice.say(state(), fault !== undefined);
    const { now } = session;
    if (calm.matches && now - shownAt < calmPause) return;
    shownAt = now;
    const moments = history.momentsOf(chosen);
    const marks = history.marksOf(chosen).filter(({ at }) => at > now - ranges[range]);
    const recent = recentOf(moments);
    showDiagnosis(recent);
    current.replaceChildren(figures(recent, shownProcesses()));
    charts.show({ moments, marks, seconds: ranges[range] });
    if (last === undefined) return;
    // A table that is scrolled or in focus stays the same element.
    const table = processTable(last, (process) => history.latestOf(process), now);
    const shown = settled.querySelector(".scrolled") ?? table;
    shown.ariaLabel = words.processes;
    shown.replaceChildren(...table.children);
    settled.replaceChildren(shown, markList(marks, last.processes.length > 1), facts(last));
  }

  function showDiagnosis(recent: Recent | undefined): void {
    const found = last && diagnose(recent, last, maxima, shownProcesses());
    diagnosis.hidden = found === undefined;
    if (found === undefined) return;
    const text = sentenceOf(found, recent!);
    const { severity, advice } = found;
    diagnosis.className = `diagnosis card stack tight ${severity}`;
    if (diagnosis.dataset["shown"] === text + advice) return;
    diagnosis.dataset["shown"] = text + advice;
    diagnosis.replaceChildren(element("p", "", text));
    if (advice === undefined || advice === "machine") return;
    const copying = copyButton(() => advice, advice);
    diagnosis.append(element("p", "bar", `${words.paste}: `, element("code", "", advice), copying));
  }

  function state(): string {
    if (fault === undefined) return last === undefined ? words.waiting : "";
    const sentence = session.sentenceOf(fault.error);
    return sentence === words.unreachable ? filled(words.away, { time: timeOf(fault.since) }) : sentence;
  }

  return {
    content: [element("div", "stack pool", ...parts)],
    show,
    open: () => {
      document.addEventListener("visibilitychange", seen);
      seen();
    },
    close: () => {
      document.removeEventListener("visibilitychange", seen);
      asking.abort();
      history.interrupt(session.now);
      charts.make([]);
    },
  };
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
