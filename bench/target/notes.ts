import { figure } from "../figures.ts";
import { loadTitles } from "../load/loads.ts";
import { answersOf, type StreamResult, statusesOf, sumOf } from "../load/open-loop.ts";
import type { Limits } from "./plan.ts";
import type { TargetStep } from "./run-target.ts";

/** From which share of the offered requests on it is said why they were not sent. */
const minUnsent = 0.05;
/** From which share of the limit on a closed loop counts as held down by it. */
const heldFrom = 0.9;

/** Says in a sentence for each load what failed and why requests were not sent; nothing for a load without either. */
export function targetNotes(steps: readonly TargetStep[]): readonly string[] {
  return steps.flatMap(({ load, streams }) => {
    const sum = (of: (stream: StreamResult) => number) => sumOf(streams, of);
    const others = statusesOf(streams).filter((status) => status !== "200" && status !== "503");
    const [due, sent, tooLate] = [sum((one) => one.due), sum((one) => one.sent), sum((one) => one.tooLate)];
    const waited = due - sent - tooLate - sum(({ aboveLimit }) => aboveLimit);
    const minCount = load.perSecond === "closed" ? Number.POSITIVE_INFINITY : minUnsent * due;
    const refused = answersOf(streams, "503");
    const parts: readonly (readonly [count: number, what: string, least?: number])[] = [
      ...others.map(
        (status) =>
          [
            answersOf(streams, status),
            status === "NaN" ? "answered without HTTP" : `answered with ${status}`,
          ] as const,
      ),
      [refused - sum(({ statuses }) => statuses["503"]?.retryAfter ?? 0), "refused without Retry-After: 2"],
      [sent - answersOf(streams), "not answered"],
      [sum(({ lost }) => lost), "lost with their connection"],
      [tooLate, "not sent, since this machine was too busy", minCount],
      [waited, "not sent, since all connections waited for answers", minCount],
    ];
    const texts = parts.flatMap(([count, what, least = 0]) =>
      count > least ? [`${figure(count)} ${what}`] : [],
    );
    return texts.length === 0 ? [] : [`${load.title}, requests: ${texts.join("; ")}.`];
  });
}

/** How far the figures of a load test are to be trusted, in sentences. */
export function targetCaveats(steps: readonly TargetStep[], limits: Limits): readonly string[] {
  const streams = steps.flatMap((step) => step.streams);
  const aboveLimit = sumOf(streams, (stream) => stream.aboveLimit);
  const reopened = sumOf(streams, (stream) => stream.reopened);
  const held = (["singles", "batches"] as const).filter((kind) =>
    steps.some(
      ({ load, figures }) =>
        load.kind === kind && load.perSecond === "closed" && figures.goodput! > heldFrom * limits[kind],
    ),
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
