import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../src/checks/answer.ts";
import { KernelMemory } from "../support/kernel-memory.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";
import { words } from "../support/words.ts";
import { RandomIbans } from "./random-ibans.ts";

const memory = new KernelMemory(await loadShippedDirectory());

/**
 * Every outcome, bank and method is covered by construction in the tests beside this one; these look for cases that no one has
 * thought of. A million and more are a matter of minutes: the reference takes some ten microseconds for each.
 */
const randomIbans = Number(process.env["RANDOM_IBANS"] ?? 10_000);

test("random IBANs of all kinds get the very bytes that the reference writes, in every form", () => {
  const ibans = new RandomIbans(memory.directory, 20_260_901);
  let checked = 0;
  let batches = 0;
  while (checked < randomIbans) {
    const count = checked % 7_000 === 0 ? 1 + ibans.below(60) : 500;
    const entries = Array.from({ length: count }, () => ibans.next());
    const form = batches++ % 4;
    const options = { ...plain, language: form % 2 === 0 ? "en" : "de", reason: form > 1 } as const;
    memory.assertEqual(entries, options);
    assert.equal(memory.kernel.count(), count);
    checked += count;
  }
});

test("strings around every length that the kernel treats differently get the reference's bytes", () => {
  for (const base of words`DE89370400440532013000 QQ12 NO9386011117947 LC14BOSL123456789012345678901234`) {
    for (let length = 0; length <= 200; length++) {
      const entry = base.padEnd(length, "7").slice(0, length);
      const entries = [entry, ` ${entry}`, entry.toLowerCase(), entry.replace(/(.)/g, "$1 ")];
      for (const each of entries) memory.assertEqual([each]);
      memory.assertEqual(entries);
    }
  }
});

test("a body of the maximum length is answered, whether one string or five hundred", () => {
  const long = "A".repeat(131_072 - Buffer.byteLength('{"ibans":[""]}'));
  memory.assertEqual([long]);
  const many = Array.from({ length: 500 }, (_, index) => `DE89${"3".repeat(200 + (index % 55))}`);
  memory.assertEqual(many);
});
