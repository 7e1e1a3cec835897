import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import type { BatchEntry } from "../contract/check-data.ts";
import { type RunningService, sharedService } from "../service.ts";
import { readVectors } from "../vectors/read.ts";
import { checkBatch, checkIban, getJson } from "./calls.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});

async function checkAll(ibans: readonly string[]): Promise<BatchEntry[]> {
  const entries: BatchEntry[] = [];
  for (let at = 0; at < ibans.length; at += 500) {
    entries.push(...(await checkBatch(service, ibans.slice(at, at + 500))).batch.results);
  }
  return entries;
}

/** Names of the checks that failed, by `explain=1`, each once: check digits at several places have several entries. */
async function failedChecks(iban: string): Promise<string[]> {
  const { data } = await checkIban(service, iban, "?explain=1");
  const failed = data.checks!.filter(({ result }) => result === "failed");
  return [...new Set(failed.map(({ check }) => check))];
}

const statusOfFault: Readonly<Record<string, number>> = {
  characters: 3,
  "country code not two letters": 3,
  "country not in the registry": 3,
  "experimental country, not in the registry": 3,
  "territory code, registry uses the parent prefix": 3,
  length: 4,
  structure: 3,
  "check digits not two digits": 3,
  "check digits outside 02-98": 0,
  mod97: 0,
};

test("each fault of an IBAN has its status, a wrong length first; one without is valid, or a bank's check says why not", async () => {
  const vectors = readVectors("iban.ndjson");
  assert.ok(vectors.length > 1_500);
  const entries = await checkAll(vectors.map(({ iban }) => iban));
  const faults = new Set<string>();
  let explained = 0;
  for (const [index, { iban, valid, why = "" }] of vectors.entries()) {
    const { status, error, iban: compact } = entries[index]!;
    if (!valid) {
      const country = ibanCountryByCode(compact.slice(0, 2));
      const isWrongLength = country !== undefined && country.ibanLength !== compact.length;
      // A text below the shortest IBAN's length is not an IBAN by its form.
      const ofForm = isWrongLength ? 4 : statusOfFault[why];
      assert.equal(status, error === undefined ? ofForm : 3, `${iban}: ${why}`);
      faults.add(why);
    }
    if (!valid || status === 1) continue;
    explained++;
    const failed = await failedChecks(iban);
    const ofBank = status === 7 ? "bank_code" : "check_digit_method";
    const expected = [iban.startsWith("DE") ? ofBank : "national_check_digits"];
    assert.ok(status === 0 || (status === 7 && iban.startsWith("DE")), `${iban} has status ${status}`);
    assert.deepEqual(failed, expected, `${iban} has status ${status}`);
    if (!iban.startsWith("DE")) assert.ok(ibanCountryByCode(iban.slice(0, 2))?.nationalCheckEnforced, iban);
  }
  const valid = vectors.filter((vector) => vector.valid).length;
  assert.ok(explained < valid / 4, `${explained} of ${valid} right IBANs fail a bank's check`);
  assert.deepEqual([...faults].sort(), Object.keys(statusOfFault).sort());
});

test("national check digits decide in the countries where they are enforced and are only reported elsewhere", async () => {
  const vectors = readVectors("iban-national.ndjson").filter(({ disputed }) => disputed === undefined);
  assert.ok(vectors.length > 150);
  const entries = await checkAll(vectors.map(({ iban }) => iban));
  const seen = { enforced: 0, reported: 0 };
  for (const [index, { iban, valid, why }] of vectors.entries()) {
    const entry = entries[index]!;
    const enforced = ibanCountryByCode(iban.slice(0, 2))!.nationalCheckEnforced;
    assert.equal(entry.status, valid || !enforced ? 1 : 0, `${iban}: ${why ?? "valid"}`);
    if (valid) continue;
    assert.deepEqual(await failedChecks(iban), ["national_check_digits"], `${iban}: ${why}`);
    seen[enforced ? "enforced" : "reported"]++;
  }
  assert.ok(seen.enforced > 50 && seen.reported > 0, JSON.stringify(seen));
});

test("genuine Finnish IBANs that fail the old national digit are valid and say so with explain=1", async () => {
  const genuine = ["FI3679823415324729", "FI6879826661004681"];
  for (const iban of genuine) assert.deepEqual(await failedChecks(iban), ["national_check_digits"], iban);
  for (const entry of await checkAll(genuine)) assert.equal(entry.status, 1);
});

test("printed forms are normalised in path, body and batch alike", async () => {
  const vectors = readVectors("iban-print.ndjson");
  const printed = await checkAll(vectors.map(({ iban }) => iban));
  const compact = await checkAll(vectors.map(({ compact }) => compact));
  let normalised = 0;
  for (const [index, { iban, compact: expected }] of vectors.entries()) {
    // The vectors also hold forms with hyphens and other marks, which the interface does not remove.
    if (iban.replace(/\s/g, "").toUpperCase() !== expected) {
      assert.equal(printed[index]?.error?.code, "invalid_iban", iban);
      continue;
    }
    normalised++;
    assert.deepEqual(printed[index], compact[index], iban);
    if (printed[index]?.error !== undefined) continue;
    const answer = await getJson(service, `/v1/iban/${encodeURIComponent(iban)}`);
    assert.deepEqual(await (await service.post("/v1/iban", { iban })).json(), answer, iban);
    const { status, data } = answer as { status: number; data: object };
    assert.deepEqual({ status, data }, { status: printed[index]!.status, data: printed[index]!.data }, iban);
  }
  assert.ok(normalised > 100, String(normalised));
});

test("a BIC that belongs to an IBAN matches it, and one of another country never does", async () => {
  const vectors = readVectors("bic-iban-pairs.ndjson");
  assert.ok(vectors.length > 80);
  for (const { iban, bic, countryMatch, bankOfIban } of vectors) {
    const alone = await checkIban(service, iban);
    const { status, data } = await checkIban(service, `${iban}/${bic}`);
    if (alone.status !== 1) {
      assert.equal(status, alone.status, `${iban} ${bic}: the IBAN's own fault comes first`);
    } else if (bankOfIban === true) {
      assert.equal(status, 1, `${iban} ${bic}: the shipped BIC is ${data.bic}`);
    } else if (!countryMatch) {
      assert.equal(status, 2, `${iban} ${bic}`);
    }
  }
});
