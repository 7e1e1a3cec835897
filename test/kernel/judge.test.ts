import assert from "node:assert/strict";
import { test } from "node:test";
import { normaliseIban } from "../../src/banking/iban/normalise.ts";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import {
  VERDICT_BANK,
  VERDICT_BYTES,
  VERDICT_FINDING,
  VERDICT_OUTCOMES,
  VERDICT_UNKNOWN_BANK,
  VERDICT_WARNING_SHIFT,
} from "../../src/kernel/table-layout.ts";
import { outcomeNames, warnings } from "../../src/kernel/wording.ts";
import { germanBank, italianBank, someEdition } from "../banks/records.ts";
import { batchesOf, KernelMemory } from "../support/kernel-memory.ts";
import { everyOutcome } from "./every-outcome.ts";

const memory = new KernelMemory(
  buildDirectory(
    [
      germanBank(),
      germanBank({ bankCode: "10000001" }),
      italianBank(),
      italianBank({ country: "MU", bankCode: "BOMM01", branchCode: "" }),
    ],
    someEdition,
  ),
);
const { directory } = memory;

interface Verdict {
  readonly finding: number;
  readonly bank: number;
}

/** The kernel's verdicts on the lines of a text, the last of which may lack its line feed. */
function judged(text: string, room = 1_000_000): readonly Verdict[] {
  const count = memory.kernel.judge(memory.placeOf(Buffer.from(text), room));
  return Array.from({ length: count }, (_, line) => {
    const at = memory.output + line * VERDICT_BYTES;
    const word = (offset: number) => memory.bytes.readUInt32LE(at + offset);
    return { finding: word(VERDICT_FINDING), bank: word(VERDICT_BANK) };
  });
}

function outcomeOf({ finding }: Verdict): string | undefined {
  return outcomeNames[finding & VERDICT_OUTCOMES];
}

test("every line has the outcome, bank and warning of the reference, one that is empty or no IBAN too", () => {
  const lines = ["", "x", ...everyOutcome(directory).map(normaliseIban)];
  const seen = new Set<string | undefined>();
  for (const batch of batchesOf(lines)) {
    const verdicts = judged(batch.join("\n"));
    assert.equal(verdicts.length, batch.length);
    for (const [place, verdict] of verdicts.entries()) {
      const iban = batch[place]!;
      const { outcome, bank, checks } = checkIban(directory, iban);
      assert.equal(outcomeOf(verdict), outcome, iban);
      seen.add(outcome);
      if (outcome !== "valid") continue;
      assert.equal((verdict.finding & VERDICT_UNKNOWN_BANK) !== 0, bank === undefined, iban);
      const warned = checks.find(({ warning }) => warning !== undefined)?.warning;
      assert.equal(warnings[(verdict.finding >> VERDICT_WARNING_SHIFT) - 1], warned, iban);
      seen.add(warned);
    }
  }
  for (const result of ["valid", "unknown_bank_code", "wrong_length", "currency"] as const)
    assert.ok(seen.has(result), result);
});

test("lines with the same bank have the same first two words, others differ", () => {
  const german = "DE89370400440532013000";
  const [one, other, third] = judged([german, german, "IT60X0542811101000000123456"].join("\n"));
  assert.deepEqual(one, other);
  assert.notEqual(one!.bank, third!.bank);
});

test("the room bounds how many lines are judged", () => {
  const lines = "DE89370400440532013000\n".repeat(200);
  const all = judged(lines);
  assert.equal(all.length, 200);
  const some = judged(lines, 3_000);
  assert.ok(some.length > 0 && some.length < 200, String(some.length));
  assert.deepEqual(some, all.slice(0, some.length));
});
