import { element } from "../element.ts";
import { filled } from "../filled.ts";
import { meanUtilisation, queueLimit } from "./charts.ts";
import type { Moment } from "./history.ts";
import type { Numbers } from "./numbers.ts";
import type { Reading } from "./reading.ts";
import type { PoolWords } from "./words.ts";

/** The figures of a moment in large; dashes where it has none. */
export function figures(moment: Moment | undefined, numbers: Numbers, words: PoolWords): HTMLElement {
  const rates = moment?.rates;
  const reading = moment?.reading;
  const requests =
    rates && Object.values(rates.requests).reduce((sum: number, perSecond: number) => sum + perSecond, 0);
  const limit = queueLimit(reading);
  return element(
    "dl",
    "figures",
    figure(words.requests, numbers.value(requests, "perSecond")),
    figure(words.checks, numbers.value(rates?.checks, "perSecond")),
    figure(
      words.refused,
      numbers.value(rates?.requests.refused, "perSecond"),
      (rates?.requests.refused ?? 0) > 0,
    ),
    figure(`${words.latency}, ${words.p99}`, numbers.value(rates?.p99, "milliseconds")),
    figure(
      words.queue,
      numbers.value(reading?.pool.waiting, "requests"),
      false,
      limit === undefined ? "" : filled(words.ofLimit, { limit: numbers.value(limit, "requests") }),
    ),
    figure(words.workersBusy, numbers.value(moment && meanUtilisation(moment), "share")),
  );
}

function figure(name: string, value: string, isWarning = false, beside = ""): HTMLElement {
  const shown = element("dd", isWarning ? "warning" : "", value);
  if (beside !== "") shown.append(element("small", "", ` ${beside}`));
  return element("div", "", element("dt", "", name), shown);
}

/** What does not change from second to second: the settings, the data and the process. */
export function facts(reading: Reading, numbers: Numbers, words: PoolWords): HTMLElement {
  const { pool, data, process } = reading;
  return element(
    "dl",
    "facts",
    fact(words.pool, `POOL_SIZE ${pool.size}, POOL_QUEUE ${queueLimit(reading)}`),
    fact(
      words.data,
      editionOf(data, numbers, words),
      data.edition === "" || data.expired || data.refusals > 0,
    ),
    fact(
      words.process,
      `${filled(words.running, { id: process.id, time: numbers.span(process.uptime_seconds) })}. ${filled(words.oneProcess, { id: process.id })}`,
    ),
    fact(words.replaced, replacedOf(pool, words), pool.restarts > 0 || pool.failing_task_kinds > 0),
  );
}

function fact(name: string, value: string, isWarning = false): HTMLElement {
  return element("div", "", element("dt", "", name), element("dd", isWarning ? "warning" : "", value));
}

function editionOf(data: Reading["data"], numbers: Numbers, words: PoolWords): string {
  const date = numbers.date(data.edition);
  const age =
    data.age_days === null ? date : filled(words.edition, { date, age: numbers.days(data.age_days) });
  return [
    data.edition === "" ? words.noEdition : age,
    ...(data.expired ? [words.expired] : []),
    ...(data.refusals > 0 ? [filled(words.dataRefusals, { count: data.refusals })] : []),
  ].join("; ");
}

function replacedOf({ restarts, failing_task_kinds }: Reading["pool"], words: PoolWords): string {
  if (failing_task_kinds === 0) return String(restarts);
  return `${restarts}; ${filled(words.failingKinds, { count: failing_task_kinds })}`;
}
