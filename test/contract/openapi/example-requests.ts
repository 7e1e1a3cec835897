import assert from "node:assert/strict";
import type { RequestExample } from "../../../src/contract/openapi/examples.ts";
import { routes } from "../../../src/contract/routes.ts";
import type { RunningService } from "../../service.ts";

/** Returns the path and query of an example as a client sends them. */
function targetOf({ operation, path = {}, query = {} }: RequestExample): string {
  const { path: template } = routeOf(operation);
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** Sends an example to a running service and returns its answer; fails for any HTTP status but 200. */
export async function answerOf(service: RunningService, example: RequestExample): Promise<unknown> {
  const target = targetOf(example);
  const isPost = routeOf(example.operation).method === "POST";
  const response = await (isPost ? service.post(target, example.body) : service.request(target));
  const answer: unknown = await response.json();
  assert.equal(response.status, 200, `${example.name}: ${JSON.stringify(answer)}`);
  return answer;
}

function routeOf(operation: RequestExample["operation"]) {
  const route = routes.find((candidate) => candidate.operation === operation);
  assert.ok(route, `no route does ${operation}`);
  return route;
}
