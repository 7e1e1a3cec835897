import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sha256 } from "../../../src/banks/editions/data-files.ts";
import { type DataEdition, manifestText } from "../../../src/banks/editions/manifest.ts";
import { checkBatch, checkIban } from "../../http/calls.ts";
import { type RunningService, startCompiledService } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { rowsWanted } from "../small-data.ts";

const folder = newFolder();
let service: RunningService;

function put(dataset: DataEdition["dataset"], validFrom: string, content: string): DataEdition {
  const file = `${dataset}.csv`;
  writeFileSync(join(folder, file), content);
  const importedAt = "2026-09-01T00:00:00.000Z";
  return { dataset, file, validFrom, sha256: sha256(Buffer.from(content)), source: file, importedAt };
}

before(async () => {
  const scl =
    "bic;name;sct;sdd;b2b;scc\nCOBADEFF;COMMERZBANK;1;0;1;0\nGIBAATWW;ERSTE BANK;1;1;1;0\nAGRIFRPP848;CREDIT AGRICOLE;1;1;0;0\n";
  const editions = [
    put(
      "blz",
      "2026-09-07",
      rowsWanted("blz.csv", (row) => row.startsWith('"37040044"')),
    ),
    put(
      "banks",
      "2025-09",
      rowsWanted("banks.csv", (row) => row.startsWith("AT;")),
    ),
    put("scl", "2026-09-07", scl),
  ];
  writeFileSync(join(folder, "manifest.json"), manifestText(editions));
  service = await startCompiledService({ DATA_DIR: folder, POOL_SIZE: "1" });
});
after(async () => {
  assert.equal(await service.stop(), 0);
});

const banks = {
  DE89370400440532013000: { flags: [1, 0, 1, 0], result: "passed", detail: /^Read from .*2026-09-07/ },
  AT611904300234573201: { flags: [1, 1, 1, 0], result: "unknown", detail: /^Assumed: no BIC/ },
  AT632011100000000000: { flags: [1, 1, 1, 0], result: "passed", detail: /^Read from .*2026-09-07/ },
} as const;

test("flags are those of the directory loaded, in single checks and batches, and explain names the source", async () => {
  const ibans = Object.keys(banks);
  const { batch } = await checkBatch(service, ibans);
  for (const [index, [iban, { flags, result, detail }]] of Object.entries(banks).entries()) {
    const { data } = await checkIban(service, iban, "?explain=1");
    assert.deepEqual(Object.values(data.sepa_methods), flags, iban);
    assert.deepEqual(batch.results[index]!.data.sepa_methods, data.sepa_methods);
    const entry = data.checks!.find(({ check }) => check === "sepa_methods");
    assert.equal(entry?.result, result);
    assert.match(entry?.detail ?? "", detail);
  }
});

test("a BIC that no list of banks has is known with the flags of the directory", async () => {
  const answer = await service.request("/v1/bic/AGRIFRPP848");
  const { status, data } = (await answer.json()) as { status: number; data: Record<string, unknown> };
  assert.deepEqual(
    [status, data["name"], data["sepa_methods"], data["sepa_source"]],
    [1, "CREDIT AGRICOLE", { sct: 1, sdd: 1, b2b: 0, scc: 0 }, "directory"],
  );
});

test("the health says that a directory is loaded, and its edition", async () => {
  const health = await service.request("/service/health");
  const { data } = (await health.json()) as { data: Record<string, unknown> };
  assert.deepEqual([data["sepa_methods"], data["sepa_edition"]], ["directory", "2026-09-07"]);
});
