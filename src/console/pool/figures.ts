import type { ProcessesAnswer } from "../../client/api-types.ts";
import { element } from "../element.ts";
import { dateOf, filled, type Numbers, type PoolWords } from "../words.ts";
import { queueLimit, type Shown } from "./charts.ts";
import {
  allRequests,
  type Moment,
  meanUtilisation,
  type Rates,
  type Severity,
  severityOf,
} from "./diagnosis.ts";
import type { Mark } from "./history.ts";
import { markColours } from "./plot.ts";

/** How many of the last marks are listed. */
const maxMarks = 8;

/** The figures of a moment in large; dashes where it has none. */
export function figures(
  moment: Moment | undefined,
  shown: Shown,
  numbers: Numbers,
  words: PoolWords,
): HTMLElement {
  const rates = moment?.rates;
  const limit = queueLimit(shown);
  const refused = rates?.requests.refused;
  const workers = rates && meanUtilisation(rates);
  const frontEnd = rates && Math.max(...rates.frontEnds);
  const figure = (name: string, value: string, severity: Severity = "calm", beside = "") => {
    const shown = element("dd", severity, value);
    // The colour does not say it alone.
    if (severity !== "calm") shown.append(element("small", "", ` ${words[severity]}`));
    else if (beside !== "") shown.append(element("small", "", ` ${beside}`));
    return element("div", "", element("dt", "", name), shown);
  };
  return element(
    "dl",
    "figures",
    figure(words.requests, numbers.value(rates && allRequests(rates), "perSecond")),
    figure(words.checks, numbers.value(rates?.checks, "perSecond")),
    figure(words.refused, numbers.value(refused, "perSecond"), severityOf("refused", refused)),
    figure(words.latencyP99, numbers.value(rates?.p99, "milliseconds")),
    figure(
      words.queue,
      numbers.value(rates?.waiting, "requests"),
      severityOf("queue", rates && rates.waiting / Math.max(1, limit)),
      filled(words.ofLimit, { limit: numbers.value(limit, "requests") }),
    ),
    figure(words.workersBusy, numbers.value(workers, "share"), severityOf("utilisation", workers)),
    figure(words.frontEndBusy, numbers.value(frontEnd, "share"), severityOf("utilisation", frontEnd)),
  );
}

/** Every process in a row of its own: what it does now, and since when. */
export function processTable(
  { processes, missing }: ProcessesAnswer,
  ratesOf: (process: number) => Rates | undefined,
  numbers: Numbers,
  words: PoolWords,
): HTMLElement {
  const heads = [
    words.process,
    words.checks,
    words.queue,
    words.workersBusy,
    words.frontEndBusy,
    words.memory,
    words.replaced,
    words.running,
  ];
  const head = element(
    "tr",
    "",
    ...heads.map((name, index) => element("th", index === 0 ? "" : "amount", name)),
  );
  const rows = processes.map(({ number, metrics: { process, pool } }) => {
    const rates = ratesOf(number);
    const amounts = [
      numbers.value(rates?.checks, "perSecond"),
      numbers.value(pool.waiting, "requests"),
      numbers.value(rates && meanUtilisation(rates), "share"),
      numbers.value(rates && Math.max(...rates.frontEnds), "share"),
      numbers.value(process.memory_mb, "megabytes"),
      String(pool.restarts),
      numbers.span(process.uptime_seconds),
    ];
    const name = element("td", "", processName(number, words), " ");
    name.append(element("small", "hint", filled(words.pid, { id: process.id })));
    return element("tr", "", name, ...amounts.map((amount) => element("td", "amount", amount)));
  });
  for (const number of missing) {
    const silent = element("td", "", words.silent) as HTMLTableCellElement;
    silent.colSpan = heads.length - 1;
    rows.push(element("tr", "act", element("td", "", processName(number, words)), silent));
  }
  const table = element("table", "processes", element("thead", "", head), element("tbody", "", ...rows));
  const scrolled = element("div", "scrolled", table);
  scrolled.tabIndex = 0;
  scrolled.role = "group";
  scrolled.ariaLabel = words.processes;
  return scrolled;
}

/** What a process is called: counted from 1. */
export function processName(number: number, words: PoolWords): string {
  return filled(words.processNumber, { number: number + 1 });
}

/** The settings and the bank data, which do not change from second to second. */
export function facts(processes: ProcessesAnswer, numbers: Numbers, words: PoolWords): HTMLElement {
  const first = processes.processes[0];
  const list = element("dl", "facts");
  if (first === undefined) return list;
  const { pool, data } = first.metrics;
  const fact = (name: string, value: string, severity: Severity = "calm") =>
    list.append(element("div", "", element("dt", "", name), element("dd", severity, value)));
  const count = processes.processes.length + processes.missing.length;
  fact(words.pool, `PROCESSES ${count}, POOL_SIZE ${pool.size}, POOL_QUEUE ${pool.ceiling - pool.size}`);
  const places = { all: count * pool.ceiling, large: count * pool.large_ceiling };
  fact(words.places, filled(words.placesOf, places));
  const isDoubtful = data.edition === "" || data.expired || data.refusals > 0;
  fact(words.data, editionOf(data, numbers, words), isDoubtful ? "watch" : "calm");
  return list;
}

function editionOf(data: Shown[number]["metrics"]["data"], numbers: Numbers, words: PoolWords): string {
  const date = dateOf(data.edition, numbers.language);
  const age =
    data.age_days === null ? date : filled(words.edition, { date, age: numbers.days(data.age_days) });
  return [
    data.edition === "" ? words.noEdition : age,
    ...(data.expired ? [words.expired] : []),
    ...(data.refusals > 0 ? [filled(words.dataRefusals, { count: data.refusals })] : []),
  ].join("; ");
}

/** The last marks in words, the newest first, with the colours of their lines in the charts. */
export function markList(
  marks: readonly Mark[],
  isSeveral: boolean,
  numbers: Numbers,
  words: PoolWords,
): HTMLElement {
  const rows = marks
    .toSorted((one, other) => other.at - one.at)
    .slice(0, maxMarks)
    .map(({ at, kind, process }) => {
      const swatch = element("span", "swatch");
      swatch.style.borderTopColor = `var(--line-${markColours[kind]})`;
      const who = isSeveral ? `${processName(process, words)}: ` : "";
      return element("li", "", swatch, element("time", "number", numbers.time(at)), ` ${who}${words[kind]}`);
    });
  const list = rows.length === 0 ? element("p", "hint", words.noMarks) : element("ul", "", ...rows);
  return element("section", "marks", element("h2", "", words.marks), list);
}
