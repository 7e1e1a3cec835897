import assert from "node:assert/strict";
import { test } from "node:test";
import { requestExamples } from "../../../src/contract/openapi/examples.ts";
import { describedRoutes } from "../../../src/contract/routes.ts";
import { testKey, useSharedService } from "../../service.ts";
import { answerExamples, publishedDocument } from "./published.ts";

const path = "/service/openapi.json";
const service = useSharedService();

test("every example is answered as the document says", async () => {
  const answers = answerExamples(publishedDocument());
  assert.deepEqual(Object.keys(answers).sort(), requestExamples.map(({ name }) => name).sort());
  for (const { name, operation, path = {}, query = {}, body } of requestExamples) {
    const route = describedRoutes.find((candidate) => candidate.operation === operation)!;
    const filled = route.path.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(path[part] ?? ""));
    const target = `${filled}?${new URLSearchParams(query)}`;
    const answer = await (route.method === "POST" ? service.post(target, body) : service.request(target));
    assert.deepEqual([answer.status, await answer.json()], [200, answers[name]], name);
  }
});

test("the served document is the built one, and is not sent again to a client that has it", async () => {
  const first = await service.request(path);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("content-type"), "application/json");
  assert.deepEqual(await first.json(), publishedDocument());
  const etag = first.headers.get("etag") ?? "";
  const asked = (known: string) =>
    service.request(path, { headers: { "X-API-Key": testKey, "If-None-Match": known } });
  const again = await asked(etag);
  assert.deepEqual([again.status, await again.text()], [304, ""]);
  const other = await asked('"no"');
  assert.deepEqual([other.status, await other.json()], [200, publishedDocument()]);
});
