import assert from "node:assert/strict";
import { test } from "node:test";
import { noRoute, RequestCounts } from "../../src/metrics/request-counts.ts";

test("requests are counted by route and status, and those of no route separately", () => {
  const counts = new RequestCounts([
    { method: "GET", route: "/a" },
    { method: "POST", route: "/a" },
  ]);
  for (const [route, status] of [
    [1, 200],
    [2, 200],
    [2, 599],
    [1, 200],
    [noRoute, 404],
  ] as const)
    counts.count(route, status);
  assert.deepEqual(
    [...counts.byRouteAndStatus()],
    [
      { method: "none", route: "none", status: 404, count: 1 },
      { method: "GET", route: "/a", status: 200, count: 2 },
      { method: "POST", route: "/a", status: 200, count: 1 },
      { method: "POST", route: "/a", status: 599, count: 1 },
    ],
  );
  assert.equal(counts.durations.length, 3);
});
