import { figure } from "../figures.ts";
import { loadTitles } from "../load/loads.ts";
import { answersOf, type StreamResult } from "../load/open-loop.ts";
import type { Limits } from "./plan.ts";
import type { TargetStep } from "./run-target.ts";

/** From which share of the offered requests on it is said why they were not sent. */
const minUnsent = 0.05;

/** Says in a sentence for each load what failed and why requests were not sent; nothing for a load without either. */
export function targetNotes(steps: readonly TargetStep[]): readonly string[] {
  return steps.flatMap(({ load, streams }) => {
    const sum = (of: (stream: StreamResult) => number) => streams.reduce((all, one) => all + of(one), 0);
    const seen = [...new Set(streams.flatMap(({ statuses }) => Object.keys(statuses)))];
    const others = seen.filter((status) => status !== "200" && status !== "503");
    const [sent, tooLate, aboveLimit] = [
      sum((stream) => stream.sent),
      sum((stream) => stream.tooLate),
      sum((stream) => stream.aboveLimit),
    ];
    const due = load.perSecond === "closed" ? Number.NaN : sum((stream) => stream.due);
    const unsent = (count: number, reason: string) =>
      count > minUnsent * due ? `${figure((count / due) * 100)} % were not sent, since ${reason}` : "";
    const withoutRetry = answersOf(streams, "503") - sum(({ statuses }) => statuses["503"]?.retryAfter ?? 0);
    const parts = [
      ...others.map((status) =>
        counted(answersOf(streams, status), "answer", status === "NaN" ? "not in HTTP" : `with ${status}`),
      ),
      counted(withoutRetry, "refusal", "without Retry-After: 2"),
      counted(sent - answersOf(streams), "request", "without an answer"),
      counted(
        sum(({ lost }) => lost),
        "connection",
        "closed with a request on its way",
      ),
      unsent(tooLate, "this machine was too busy to send them in time"),
      unsent(due - sent - tooLate - aboveLimit, "all connections waited for answers"),
    ].filter((part) => part !== "");
    return parts.length === 0 ? [] : [`${load.title}: ${parts.join("; ")}.`];
  });
}

function counted(count: number, what: string, how: string): string {
  return count > 0 ? `${figure(count)} ${what}${count === 1 ? "" : "s"} ${how}` : "";
}

/** How far the figures of a load test are to be trusted, in sentences. */
export function targetCaveats(steps: readonly TargetStep[], limits: Limits): readonly string[] {
  const streams = steps.flatMap((step) => step.streams);
  const aboveLimit = streams.reduce((sum, stream) => sum + stream.aboveLimit, 0);
  const reopened = streams.reduce((sum, stream) => sum + stream.reopened, 0);
  const held = (["singles", "batches"] as const).filter((kind) =>
    steps.some(({ isHeld, load }) => isHeld && load.kind === kind),
  );
  return [
    `At most ${figure(limits.singles)} single checks and ${figure(limits.batches)} batches a second were sent (--max-singles, --max-batches); ${figure(aboveLimit)} requests that were due at independent times were left out for it.`,
    ...held.map(
      (kind) =>
        `${loadTitles[kind]}: this limit held the closed loop down, so what the service can do is unknown, and no load of them was an overload.`,
    ),
    `The latencies include the network between this machine and the service, but not the opening of connections; ${figure(reopened)} were closed between two requests and opened again.`,
    "A closed loop sends the next request when the last is answered: a service that stalls receives fewer requests.",
    "Every answered check counts as usage of the key.",
  ];
}
