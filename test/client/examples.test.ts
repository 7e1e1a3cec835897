import assert from "node:assert/strict";
import { test } from "node:test";
import * as exported from "../../src/client/index.ts";
import { documentedIn, runExample } from "../examples.ts";
import { sharedService, testKey } from "../service.ts";

test("every method of the client has an example, and each returns what it says", async () => {
  const service = await sharedService();
  const client = new exported.BankcheckClient({ baseUrl: service.url, apiKey: testKey });
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
});
