import assert from "node:assert/strict";
import { test } from "node:test";
import * as exported from "../../src/client/index.ts";
import { describedRoutes } from "../../src/contract/routes.ts";
import { documentedIn, runExample } from "../examples.ts";
import { sharedService, testKey } from "../service.ts";
import { pluck } from "../support/pluck.ts";

/** Operations without a method: another path for the same answer, and what only probes and proxies ask for. */
const withoutMethod = new Set([
  ...["checkAccountByPath", "checkIbanByPath", "checkIbanAndBicByPath", "searchByQuery"],
  ...["testPing", "live", "ready"],
]);

test("every operation has a method, every method an example, and each returns what it says", async () => {
  const service = await sharedService();
  const asked: string[] = [];
  const fetch: exported.Fetch = (url, init) => {
    asked.push(new URL(url).pathname);
    return globalThis.fetch(url, init);
  };
  const client = new exported.BankcheckClient({ baseUrl: service.url, apiKey: testKey, fetch });
  const examples = ["client", "errors"].flatMap((file) =>
    documentedIn(new URL(`../../src/client/${file}.ts`, import.meta.url)),
  );
  const methods = Object.getOwnPropertyNames(exported.BankcheckClient.prototype).filter(
    (name) => name !== "constructor" && name !== "concurrency",
  );
  const missing = [...methods, "BankcheckClient", "BankcheckError"].filter((wanted) =>
    examples.every(({ name, code }) => name !== wanted || code === undefined),
  );
  assert.deepEqual(missing, []);
  for (const { name, code } of examples) {
    if (code !== undefined) await runExample({ name, code }, { ...exported, client });
  }
  // A path with parameters is of the first route that it fits, and a path without them of its own.
  const routeOf = (pathname: string) =>
    describedRoutes.find(({ path }) => path === pathname) ??
    describedRoutes.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname))!;
  const reached = new Set(asked.map((pathname) => routeOf(pathname).path));
  const unreached = describedRoutes.filter(
    ({ path, operation }) => !withoutMethod.has(operation) && !reached.has(path),
  );
  assert.deepEqual(pluck(unreached, "operation"), []);
});
