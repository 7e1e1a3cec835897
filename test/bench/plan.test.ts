import assert from "node:assert/strict";
import { test } from "node:test";
import { mediansOf } from "../../bench/figures.ts";
import { streamsOf } from "../../bench/load/loads.ts";
import { answersOf, figuresOf } from "../../bench/load/open-loop.ts";
import { defaultQueue, planFor, plannedSeconds, poolSizes, queueLevels } from "../../bench/tune/plan.ts";

test("pool sizes go from 1 to two beyond the cores, and stay within the setting's bounds", () => {
  assert.deepEqual(poolSizes(1), [1, 2, 3]);
  assert.deepEqual(poolSizes(2), [1, 2, 3, 4]);
  assert.deepEqual(poolSizes(16), [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 18]);
  const most = poolSizes(256);
  assert.equal(most.at(-1), 64);
  assert.ok(most.length < 20, String(most));
});

test("the full sweep takes less than an hour on 16 cores, the quick one a few minutes on two", () => {
  assert.ok(plannedSeconds(planFor(2, true)) < 4 * 60);
  assert.ok(plannedSeconds(planFor(2, false)) < 25 * 60);
  assert.ok(plannedSeconds(planFor(16, false)) < 60 * 60);
});

test("queues are tried under ordinary work and from the capacity on", () => {
  assert.deepEqual(queueLevels([0.25, 0.5, 0.75, 0.9, 1, 1.5]), [0.75, 1, 1.5]);
  assert.deepEqual([defaultQueue(2), defaultQueue(64)], [1_024, 4_096]);
});

test("the mix offers ten single checks to each batch, over half the connections each", () => {
  const requests = { singles: ["GET"], batches: ["POST"] };
  const offered = (...args: Parameters<typeof streamsOf>) =>
    streamsOf(...args).map(({ name, perSecond, connections }) => `${name} ${perSecond} on ${connections}`);
  assert.deepEqual(offered("mix", 1_100, 8, requests), ["singles 1000 on 4", "batches 100 on 4"]);
  assert.deepEqual(offered("batches", 50, 8, requests), ["batches 50 on 8"]);
  assert.equal(streamsOf("singles", "closed", 8, requests)[0]!.perSecond, "closed");
});

const times = (p99: number) => ({ p50: 1, p90: 2, p99, p999: p99, max: p99 });

test("the figures of a load are those of all its streams, its latencies those of the slower one", () => {
  const stream = { name: "", due: 100, tooLate: 0, aboveLimit: 0, lateP99: 0.5, reopened: 0, lost: 0 };
  const counted = (count: number, p99: number, retryAfter = 0) => ({ count, retryAfter, ...times(p99) });
  const statuses = [
    { 200: counted(90, 4), 503: counted(10, 900, 10) },
    { 200: counted(19, 30), 500: counted(1, 1) },
  ];
  const [first = {}, second = {}] = statuses;
  const streams = [
    { ...stream, sent: 100, statuses: first },
    { ...stream, sent: 20, statuses: second },
  ];
  const asked = [{ perSecond: 50 }, { perSecond: 10 }];
  assert.equal(answersOf(streams), 120);
  assert.deepEqual(figuresOf({ seconds: 2, streams }, asked), {
    offered: 60,
    sent: 60,
    goodput: 54.5,
    refused: 10 / 120,
    failures: 1,
    late: 0.5,
    ...times(30),
  });
  const nothing = [{ ...stream, sent: 0, statuses: {}, lateP99: Number.NaN }];
  const none = figuresOf({ seconds: 2, streams: nothing }, [{ perSecond: "closed" }]);
  assert.deepEqual([none.goodput, none.refused, none.p99, none.offered], [0, 0, Number.NaN, Number.NaN]);
});

test("the rounds of a load become their medians, with the lowest and highest goodput and all failures", () => {
  const round = { offered: 120, goodput: 100, p99: 2, failures: 1 };
  const rounds = [round, { ...round, goodput: 80, p99: Number.NaN }, { ...round, goodput: 90, p99: 4 }];
  assert.deepEqual(mediansOf(rounds), {
    ...round,
    goodput: 90,
    lowest: 80,
    highest: 100,
    p99: 3,
    failures: 3,
  });
});
