import type { StreamResult } from "../load/open-loop.ts";
import { list, page, paragraph, section, table, warning } from "../report/page.ts";
import { figure } from "../report/statistics.ts";
import { loadTitles } from "../tune/loads.ts";
import { prefixOf } from "./reach.ts";
import { loads, type TargetOptions, type TargetStep } from "./run-target.ts";

/** The steps in cells: a head, then a row for each. */
export function targetCells(steps: readonly TargetStep[]): readonly (readonly string[])[] {
  const rows = steps.map((step) => [
    step.load,
    figure(step.offered ?? Number.NaN),
    ...[step.sent, step.goodput, step.refused * 100, step.p50, step.p99, step.late].map(figure),
  ]);
  const head = ["load", "offered/s", "sent/s", "200/s", "503 %", "p50 ms", "p99 ms", "late p99 ms"];
  return [head, ...rows];
}

/** From which share of the offered requests on it is said why they were not sent. */
const minUnsent = 0.05;

/** Says in a sentence for each load what failed and why requests were not sent; nothing for a load without either. */
export function targetNotes(steps: readonly TargetStep[]): readonly string[] {
  return steps.flatMap(({ load, offered, streams }) => {
    const sum = (of: (stream: StreamResult) => number) => streams.reduce((all, one) => all + of(one), 0);
    const answers = (status: string) => sum(({ statuses }) => statuses[status]?.count ?? 0);
    const seen = [...new Set(streams.flatMap(({ statuses }) => Object.keys(statuses)))];
    const [sent, tooLate, aboveLimit] = [
      sum((stream) => stream.sent),
      sum((stream) => stream.tooLate),
      sum((stream) => stream.aboveLimit),
    ];
    const due = offered === undefined ? Number.NaN : sum((stream) => stream.due);
    const unsent = (count: number, reason: string) =>
      count > minUnsent * due ? `${figure((count / due) * 100)} % were not sent, since ${reason}` : "";
    const parts = [
      ...seen
        .filter((status) => status !== "200" && status !== "503")
        .map((status) =>
          counted(answers(status), "answer", status === "NaN" ? "not in HTTP" : `with ${status}`),
        ),
      counted(
        answers("503") - sum(({ statuses }) => statuses["503"]?.retryAfter ?? 0),
        "refusal",
        "without Retry-After: 2",
      ),
      counted(sent - seen.reduce((all, status) => all + answers(status), 0), "request", "without an answer"),
      counted(
        sum(({ lost }) => lost),
        "connection",
        "closed with a request on its way",
      ),
      unsent(tooLate, "this machine was too busy to send them in time"),
      unsent(due - sent - tooLate - aboveLimit, "all connections waited for answers"),
    ].filter((part) => part !== "");
    return parts.length === 0 ? [] : [`${load}: ${parts.join("; ")}.`];
  });
}

function counted(count: number, what: string, how: string): string {
  return count > 0 ? `${figure(count)} ${what}${count === 1 ? "" : "s"} ${how}` : "";
}

/** The report as one HTML file; `ended` says why the run ended before its last load. */
export function targetReport(
  steps: readonly TargetStep[],
  { url, maxSingles, maxBatches }: TargetOptions,
  day: string,
  ended?: string,
): string {
  const notes = targetNotes(steps);
  const streams = steps.flatMap((step) => step.streams);
  const aboveLimit = streams.reduce((sum, stream) => sum + stream.aboveLimit, 0);
  const reopened = streams.reduce((sum, stream) => sum + stream.reopened, 0);
  const held = (["singles", "batches"] as const).filter((kind) =>
    steps.some(({ isHeld, load }) => isHeld && load.startsWith(loadTitles[kind])),
  );
  return page(`bankcheck: ${url.origin}${prefixOf(url)}`, `${day}; ${steps.length} of ${loads} loads.`, [
    ...(ended === undefined ? [] : [warning(ended)]),
    section(
      "What the service did",
      paragraph(
        "Every answered check counts as usage of the key. The service answers 503 with Retry-After: 2 beyond its ceiling, and beyond the limits of the key where it has any.",
      ),
      table("Loads", targetCells(steps)),
    ),
    section(
      "What to look into",
      notes.length === 0
        ? paragraph("Nothing: all that was sent was answered with 200 or 503, and no connection was lost.")
        : list(notes),
    ),
    section(
      "How far to trust it",
      list([
        `At most ${figure(maxSingles)} single checks and ${figure(maxBatches)} batches a second were sent (--max-singles, --max-batches); ${figure(aboveLimit)} requests that were due at independent times were left out for it.`,
        ...held.map(
          (kind) =>
            `${loadTitles[kind]}: this limit held the closed loop down, so what the service can do is unknown, and no load of them was an overload.`,
        ),
        `The latencies include the network between this machine and the service, but not the opening of connections; ${figure(reopened)} were closed between two requests and opened again.`,
        "A closed loop sends the next request when the last is answered: a service that stalls receives fewer requests.",
      ]),
    ),
  ]);
}
