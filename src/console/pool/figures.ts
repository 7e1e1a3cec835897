import type { ProcessesAnswer } from "../../contract/api-types.ts";
import { amount, type Column, element, figure, scrolledTable, tableRow } from "../element.ts";
import { editionText, filled, momentOf, quantity, timeOf, type Unit, poolTexts as words } from "../words.ts";
import type { ShownProcesses } from "./charts.ts";
import { queueLimit, type Severity, severitiesOf } from "./diagnosis.ts";
import type { Mark } from "./history.ts";
import { markColours } from "./plot.ts";
import type { Rates, Recent } from "./rates.ts";

const maxMarks = 8;

/** Returns the figures by which the service is judged, in large; dashes where there are none. */
export function figures(recent: Recent | undefined, shown: ShownProcesses): HTMLElement {
  const severities = severitiesOf(recent, shown);
  const limit = quantity(queueLimit(shown), "requests");
  const value = (measure: keyof Recent, unit: Unit, severity: Severity = "calm", beside = "") => {
    // The colour does not say it alone.
    const small = [beside, severity === "calm" ? "" : words[severity]].filter((text) => text !== "");
    const more = small.length > 0 ? [element("small", "", ` ${small.join(", ")}`)] : [];
    return element("dd", severity, quantity(recent?.[measure], unit), ...more);
  };
  const rows: readonly (readonly [name: string, value: HTMLElement])[] = [
    [words.requests, value("requests", "perSecond")],
    [words.checks, value("checks", "perSecond")],
    [words.refused, value("refused", "perSecond", severities.refused)],
    [words.latencyP99, value("p99", "milliseconds")],
    [words.queue, value("waiting", "requests", severities.queue, filled(words.ofLimit, { limit }))],
    [words.workersBusy, value("workers", "share", severities.workers)],
    [words.frontEndBusy, value("frontEnd", "share", severities.frontEnd)],
    [
      words.machine,
      value("busy", "share", severities.machine, recent && filled(words.ofCores, machineIn(recent))),
    ],
  ];
  return element("dl", "figures", ...rows.map(([name, shown]) => figure(name, shown)));
}

export function machineIn({ busy, stolen, cores }: Recent): Readonly<Record<string, string>> {
  return { cores: String(cores), busy: quantity(busy, "share"), stolen: quantity(stolen, "share") };
}

export function processTable(
  { processes, missing }: ProcessesAnswer,
  ratesOf: (process: number) => Rates | undefined,
  now: number,
): HTMLElement {
  type Amount = (metrics: ShownProcesses[number]["metrics"], rates: Rates | undefined) => string;
  const amounts: readonly (readonly [name: string, of: Amount])[] = [
    [words.checks, (_, rates) => quantity(rates?.checks, "perSecond")],
    [words.queue, ({ pool }) => quantity(pool.waiting, "requests")],
    [words.workersBusy, (_, rates) => quantity(rates?.workers, "share")],
    [words.frontEndBusy, (_, rates) => quantity(rates?.frontEnd, "share")],
    [words.memory, ({ process }) => quantity(process.memory_mb, "megabytes")],
    [words.replaced, ({ pool }) => String(pool.restarts)],
    [words.running, ({ process }) => momentOf((now - process.uptime_seconds) * 1_000, "short")],
  ];
  const rows = processes.map(({ number, metrics }) => {
    const rates = ratesOf(number);
    const id = element("small", "hint", filled(words.pid, { id: metrics.process.id }));
    const name = element("td", "", processName(number), " ", id);
    return tableRow([name, ...amounts.map(([, of]) => amount(of(metrics, rates)))]);
  });
  const silent = element("td", { colSpan: amounts.length }, words.silent);
  for (const number of missing) rows.push(tableRow([processName(number), silent.cloneNode(true)], "act"));
  const columns: readonly Column[] = [[words.process], ...amounts.map(([name]) => [name, true] as const)];
  return scrolledTable(columns, rows, words.processes);
}

export function processName(number: number): string {
  return filled(words.processNumber, { number: number + 1 });
}

export function facts(processes: ProcessesAnswer): HTMLElement {
  const first = processes.processes[0];
  if (first === undefined) return element("dl", "facts");
  const { pool, data } = first.metrics;
  const count = processes.processes.length + processes.missing.length;
  const settings = `PROCESSES ${count}, POOL_SIZE ${pool.size}, POOL_QUEUE ${pool.ceiling - pool.size}`;
  const places = { all: count * pool.ceiling, large: count * pool.large_ceiling };
  const fixed = [figure(words.pool, settings), figure(words.places, filled(words.placesOf, places))];
  const refusals = data.refusals > 0 ? `; ${filled(words.dataRefusals, { count: data.refusals })}` : "";
  const isDoubtful = data.edition === "" || data.expired || refusals !== "";
  const edition = editionText(data) + refusals;
  const shown = data.expired ? filled(words.expired, { date: edition }) : edition;
  const loaded = figure(words.data, element("dd", isDoubtful ? "watch" : "calm", shown));
  return element("dl", "facts", ...fixed, loaded);
}

/** Returns the last marks in words, the newest first, with the colours of their lines in the charts. */
export function markList(marks: readonly Mark[], isSeveral: boolean): HTMLElement {
  const rows = marks
    .toSorted((one, other) => other.at - one.at)
    .slice(0, maxMarks)
    .map(({ at, kind, process }) => {
      const swatch = element("span", "swatch");
      swatch.style.borderTopColor = `var(--${markColours[kind]})`;
      const who = isSeveral ? `${processName(process)}: ` : "";
      return element("li", "", swatch, element("time", "number", timeOf(at)), ` ${who}${words[kind]}`);
    });
  const list = rows.length === 0 ? element("p", "hint", words.noMarks) : element("ul", "", ...rows);
  return element("section", "marks", element("h2", "", words.marks), list);
}
