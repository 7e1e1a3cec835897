import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { rowsOf } from "../banks/shipped.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { pluck } from "../support/pluck.ts";
import { words } from "../support/words.ts";
import { readVectors } from "../vectors/read.ts";
import { directory, fillInsOf } from "./engine.ts";

test("one unreadable digit has one solution, anywhere but in the country code", () => {
  const iban = "DE89370400440532013000";
  for (let at = 2; at < iban.length; at++) {
    const { counts, found: fillIns } = fillInsOf(`${iban.slice(0, at)}?${iban.slice(at + 1)}`);
    assert.deepEqual(counts, { iso: 1, national: 1, all: 1 });
    assert.equal(fillIns[0]?.iban, iban);
  }
});

test("what cannot be an IBAN of the country, and none or more than four unreadable characters, have no fill-ins", () => {
  for (const text of words`
    D?89370400440532013000 ZZ8937040044053201300? DE8937040044053201300?0 DEA937040044053201300?
    AT61190430023457320?A AT6119043002345?A201 DE89370400440532013000 DE8937040044053?????00
  `) {
    assert.deepEqual(fillInsOf(text), { counts: { iso: 0, national: 0, all: 0 }, found: [] });
  }
});

test("letters where digits are possible rank last, and a shortened list does not change the counts", () => {
  const text = "MT84MALT011000012345????AST001S";
  const all = fillInsOf(text);
  const lettersOf = (iban: string) => iban.slice(20, 24).replaceAll(/\d/g, "").length;
  const sorted = all.found.toSorted(
    (one, other) => lettersOf(one.iban) - lettersOf(other.iban) || (one.iban < other.iban ? -1 : 1),
  );
  assert.deepEqual(all.found, sorted);
  assert.equal(all.found.length, all.counts.all);
  const { counts, found } = fillInsOf(text, 50);
  assert.deepEqual([counts, found], [all.counts, all.found.slice(0, 50)]);
});

/** Tries every character in every place, without any arithmetic to spare it. */
function fillInsByTrying(text: string): string[] {
  const at = text.indexOf("?");
  if (at < 0) return outcomeOf(checkForm(text)) === "valid" ? [text] : [];
  return [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"].flatMap((character) =>
    fillInsByTrying(text.replace("?", character)),
  );
}

test("fill-ins at banks of the lists come alone, with their bank, and where no bank is known all are listed", () => {
  const codes = new Set(rowsOf("banks.csv").flatMap((row) => (row.country === "AT" ? [row.bank_code] : [])));
  for (const [text, isKnown] of [
    [ibanOf("AT", "2011100234573201").replace("201", "???"), true],
    ["AT6?9999?0023457320?", false],
  ] as const) {
    const found = fillInsByTrying(text);
    const known = found.filter((iban) => codes.has(iban.slice(4, 9)));
    assert.ok(found.length > 1 && known.length < found.length, text);
    const { counts, found: fillIns } = fillInsOf(text);
    assert.deepEqual(pluck(fillIns, "iban"), (isKnown ? known : found).sort());
    assert.deepEqual(counts, { iso: found.length, national: found.length, all: fillIns.length });
    for (const { iban, bank } of fillIns)
      assert.equal(bank < 0 ? "" : directory.record(bank).bankCode, isKnown ? iban.slice(4, 9) : "", iban);
  }
});

test("every mask has exactly as many fill-ins as counted elsewhere, the right one among them", () => {
  for (const { given, meant, iso, national } of readVectors("mask.ndjson")) {
    const { counts, found: fillIns } = fillInsOf(given);
    assert.deepEqual([counts.iso, counts.national], [iso, national], given);
    assert.ok(pluck(fillIns, "iban").includes(meant), given);
  }
});
