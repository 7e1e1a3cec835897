import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { MAX_FRAGMENT_BYTES } from "../../src/banks/directory/check-data.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { loadEdition } from "../../src/banks/editions/load.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { maxBodyBytes } from "../../src/contract/limits.ts";
import { compileKernel } from "../../src/kernel/kernel.ts";
import { kernelTables } from "../../src/kernel/kernel-tables.ts";
import { openTaskWorker, runTask, type TaskWorker } from "../../src/pool/run-task.ts";
import { createSharedMemory, editionIn } from "../../src/pool/shared-memory.ts";
import {
  largeRoom,
  maxEntryBytes,
  type Slot,
  SlotField,
  SlotMemory,
  smallRoom,
} from "../../src/pool/slots.ts";
import { encodeTask, TaskFlag } from "../../src/pool/tasks.ts";
import { fragmentOf } from "../banks/fragments.ts";
import { dataFolder, germanEdition } from "../banks/shipped.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { pluck } from "../support/pluck.ts";
import { words } from "../support/words.ts";

let worker: TaskWorker;
let directory: BankDirectory;
let small: Slot;
let large: Slot;
before(async () => {
  const shared = createSharedMemory(kernelTables(), { smallSlots: 2, largeSlots: 2, rooms: 2 });
  await loadEdition({ dataFolder, day: germanEdition, room: editionIn(shared, 0) });
  const kernel = await compileKernel();
  worker = openTaskWorker({ shared, kernel, observeAccounts: defaultPolicy.observed }, 0);
  ({ directory } = worker);
  const { slots } = new SlotMemory(shared.slots);
  [small, large] = [slots[0]!, slots[2]!];
});

/** The IBAN whose bank has the longest fragment of all in the directory, and its length. */
function longestFragment(): { readonly length: number; readonly iban: string } {
  let longest = { length: 0, iban: "" };
  for (let index = 0; index < directory.size; index++) {
    const { country, bankCode, branchCode, main } = directory.record(index);
    const length = fragmentOf(directory, index).length;
    if (!main || length <= longest.length) continue;
    const { bank, branch, example } = ibanCountries.find(({ code }) => code === country)!;
    const bban = [...example.slice(4)];
    if (bank !== null) bban.splice(bank.start, bank.length, ...bankCode);
    if (branch !== null && branchCode !== "") bban.splice(branch.start, branch.length, ...branchCode);
    longest = { length, iban: ibanOf(country, bban.join("")) };
  }
  return longest;
}

function answerIn(slot: Slot): string {
  runTask(slot, worker);
  const length = slot.get(SlotField.outputLength);
  assert.ok(length <= slot.output.length, `an answer of ${length} bytes in ${slot.output.length}`);
  const text = slot.output.toString("utf8", 0, length);
  JSON.parse(text);
  return text;
}

/** Answers a body, which the kernel understands unless it has an escape in it. */
function answerTo(body: string): string {
  assert.ok(Buffer.byteLength(body) <= maxBodyBytes);
  encodeTask(large, "batch", 0, Buffer.from(body));
  return answerIn(large);
}

/** Answers a batch by kernel and reference and returns the length of the answer. */
function batchLength(ibans: readonly string[]): number {
  const body = JSON.stringify({ ibans });
  const answer = answerTo(body);
  const escaped = body.replace('"ibans"', '"\\u0069bans"');
  if (escaped.length <= maxBodyBytes) assert.equal(answerTo(escaped), answer);
  return Buffer.byteLength(answer);
}

/** Returns the bytes of one entry in the answer, without the text it echoes. */
function perEntry(iban: string, echoes: number): number {
  return batchLength([iban, iban]) - batchLength([iban]) - echoes * iban.length;
}

test("no entry takes more beyond its text than was reckoned with", () => {
  const { iban: longest, length } = longestFragment();
  const frame = perEntry(longest, 2) - length;
  assert.ok(length > 200, "the longest bank is a long one");
  assert.ok(
    frame + MAX_FRAGMENT_BYTES <= maxEntryBytes,
    `a frame of ${frame} bytes about a fragment of 1,024`,
  );
  const wrong = words`DE ZZ00000000000000 DE89370400440532013001 DE00370400440532013000`;
  for (const iban of ["", ...wrong, `DE${"0".repeat(40)}`]) {
    const echoes = iban.length < 15 ? 1 : 2;
    assert.ok(perEntry(iban, echoes) <= maxEntryBytes, iban);
  }
});

test("IBANs of the bank that takes most room fit, 500 or 499 and one that fills the body, with a fragment of the longest that may be too", () => {
  const { iban, length } = longestFragment();
  const ibans: string[] = Array(499).fill(iban);
  const room = maxBodyBytes - JSON.stringify({ ibans: [...ibans, ""] }).length;
  for (const last of [iban, `DE${"0".repeat(room - 2)}`, `ZZ${"0".repeat(room - 2)}`, "%".repeat(room)]) {
    const withLongest = batchLength([...ibans, last]) + 500 * (MAX_FRAGMENT_BYTES - length);
    assert.ok(withLongest <= largeRoom.output, `${withLongest} of ${largeRoom.output} bytes`);
  }
});

test("500 entries that fill the body with what is escaped fit", () => {
  const room = Math.floor((maxBodyBytes - 12) / 500) - 3;
  for (const [text, jsonBytes] of [
    ["\u0001", 6],
    ['"', 2],
    ["\\", 2],
    ["€", 3],
    ["%", 1],
    ["\b", 2],
  ] as const) {
    const entries: string[] = Array(500).fill(text.repeat(Math.floor(room / jsonBytes)));
    const answer = JSON.parse(answerTo(JSON.stringify({ ibans: entries }))) as {
      batch: { results: { iban: string }[] };
    };
    assert.ok(
      answer.batch.results.every(({ iban }, index) => iban === entries[index]!.replaceAll(/\s/g, "")),
    );
  }
});

test("a single check of a number that fills the body fits, with all its checks", () => {
  const length = maxBodyBytes - '{"iban":""}'.length;
  for (const country of ["DE", "ZZ", "AX", "JE", "IR"]) {
    const iban = country + "0".repeat(length - 2);
    encodeTask(large, "checkIbanByBody", TaskFlag.explain, iban);
    assert.ok(answerIn(large).includes(`"${iban}"`));
  }
  for (const [kontonummer, blz] of [
    ["7".repeat(131_000), "1"],
    ["7", "1".repeat(131_000)],
    ["7".repeat(65_000), "1".repeat(65_000)],
  ] as const) {
    encodeTask(large, "checkAccountByBody", TaskFlag.sepa | TaskFlag.explain, `${blz} ${kontonummer}`);
    assert.ok(answerIn(large).includes(`"${kontonummer}"`));
  }
});

test("every check that goes into a small slot fits it with all its checks", () => {
  const most = Math.floor(smallRoom.input / 3);
  const ibans = [longestFragment().iban, ...pluck(ibanCountries, "example"), `AX${"0".repeat(most - 2)}`];
  for (const iban of ibans) {
    encodeTask(small, "checkIbanByBody", TaskFlag.explain | TaskFlag.bic, `COBADEFFXXX ${iban}`);
    assert.ok(answerIn(small).length < smallRoom.output / 2, iban);
  }
  for (const account of [
    `37040044 ${"7".repeat(most - 8)}`,
    "10020200 21644125",
    `${"1".repeat(most - 1)} 1`,
  ]) {
    encodeTask(small, "checkAccountByBody", TaskFlag.sepa | TaskFlag.explain, account);
    assert.ok(answerIn(small).length < smallRoom.output / 2, account);
  }
});

test("the 50 longest search results of the whole directory together fit a small slot", () => {
  const lengths = Array.from({ length: directory.germanCount }, (_, index) => {
    const { zip, location, name, bankCode, bic, shortName, main } = directory.record(index);
    const item = { zip, location, bank: name, blz: bankCode, bic, short_name: shortName || null, main };
    return Buffer.byteLength(JSON.stringify(item)) + 1;
  });
  const longest = lengths
    .sort((a, b) => b - a)
    .slice(0, 50)
    .reduce((sum, length) => sum + length);
  assert.ok(longest + 1_024 < smallRoom.output, `${longest} of ${smallRoom.output} bytes`);
  const query = JSON.stringify({ name: "bank", countries: "*", max: 50 });
  encodeTask(small, "searchByBody", 0, query);
  const { results } = JSON.parse(answerIn(small)) as { results: { items: object[] } };
  assert.equal(results.items.length, 50);
});

test("100 test numbers of any country and all ways to fill in an IBAN fit a small slot", () => {
  for (const { code } of ibanCountries) {
    encodeTask(small, "sampleIbans", 0, JSON.stringify({ country: code, n: 100, seed: "1" }));
    assert.ok(answerIn(small).length < smallRoom.output, code);
  }
  encodeTask(small, "suggest", 0, JSON.stringify({ iban: "DE893704004405320130??", max: 50 }));
  const { data } = JSON.parse(answerIn(small)) as { data: { suggestions: object[] } };
  assert.ok(data.suggestions.length > 0);
});
