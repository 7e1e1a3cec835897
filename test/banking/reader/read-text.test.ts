import assert from "node:assert/strict";
import { test } from "node:test";
import { readText, type TextNumbers } from "../../../src/banking/reader/read-text.ts";
import { isKnownBic } from "../../suggest/engine.ts";
import { pluck } from "../../support/pluck.ts";

const german = "DE89370400440532013000";

const spellings = [
  german,
  "DE89 3704 0044 0532 0130 00",
  "de89 3704 0044 0532 0130 00",
  "DE89-3704-0044-0532-0130-00",
  "DE89.3704.0044.0532.0130.00",
  "DE89/3704/0044/0532/0130/00",
  "DE89  3704  0044  0532  0130  00",
  "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000",
  "DE89 37040044 0532013000",
  "DE 89 3704 0044 0532 0130 00",
  "DE89 3704 0044\n    0532 0130 00",
  "DE89 3704 0044\r\n> 0532 0130 00",
  "DE893704004405\n32013000",
  "DE89_3704_0044_0532_0130_00",
  "D\u200bE\u200b8937040044\u200b0532013000",
  "DE89\u2069 \u2068370400440532013000",
  "DE89\u202a 3704\u202c 0044\u2064 0532 01\u202e30 00",
  "ＤＥ８９３７０４００４４０５３２０１３０００",
];

const surroundings: readonly ((iban: string) => string)[] = [
  (iban) => iban,
  (iban) => `Bitte überweisen Sie auf IBAN: ${iban}, BIC COBADEFFXXX.`,
  (iban) => `IBAN${iban}`,
  (iban) => `IBAN-Nr.\n${iban}\nVerwendungszweck 4711`,
  (iban) => `4711\t${iban}\t1.234,56\n`,
  (iban) => `| Müller | ${iban} | 12,50 |`,
  (iban) => `Veuillez payer sur le compte ${iban}  100,00 EUR`,
  (iban) => `(${iban})`,
];

for (const spelling of spellings) {
  test(`an IBAN written ${JSON.stringify(spelling)} is found whole between its neighbours`, () => {
    for (const surround of surroundings) {
      const text = surround(spelling);
      const found = readText(text).ibans.map(({ start, end, iban }) => [text.slice(start, end), iban]);
      assert.deepEqual(found, [[spelling, german]], text);
    }
  });
}

test("text of any kind and length is gone through without an error", () => {
  const repeated = ["IBAN ", "DE89 ", "A1"].map((part) => part.repeat(2_000));
  for (const text of ["", "\u0000", "\ud800", "IBAN", ...repeated]) {
    const { ibans } = readText(text, { isKnownBic });
    assert.ok(ibans.every(({ start, end }) => start < end && end <= text.length));
  }
});

test("long words after the word IBAN cost no more than numbers do", () => {
  const costOf = (piece: string) => {
    const before = process.cpuUsage();
    readText(piece.repeat(1_000).slice(0, 32_768));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const ordinary = costOf("IBAN: DE89 3704 0044 0532 0130 01 ");
  for (const piece of ["IBAN DEBankleitzahl DE89—[23.11.26, 09:12] ", "IBAN Bankverbindungsdaten DE89: "]) {
    const cost = costOf(piece);
    assert.ok(cost < 20 * ordinary, `${piece}takes ${cost} µs, ordinary text ${ordinary} µs`);
  }
});

test("a text that takes too long, or has too many numbers, is read in parts, each from where the one before ended", () => {
  const text =
    `${"DE8 9 ".repeat(200)} IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, or DE75 5121 0800 1245 1261 98. ${[
      "Konto: 5320 13000, bei der Commerzbank, BLZ: 370 400 44, danke. ".repeat(5),
      "532013000 (BLZ 37040044), which is an account whose number comes before its bank code. And then: Kontonummer: 532013001 BLZ\n37040044 / ",
      ":25:37040044/532013002\n".repeat(5),
    ].join("")}`.repeat(6);
  const listed = ({ ibans, bics, accounts }: TextNumbers) => {
    return [pluck(ibans, "iban"), pluck(bics, "bic"), pluck(accounts, "account")];
  };
  const whole = readText(text, { isKnownBic });
  assert.equal(whole.readTo, text.length);
  assert.equal(whole.accounts.length, 6 * 12);
  for (const options of [{ isOver: () => true }, { maxFound: 1 }, { maxFound: 3 }]) {
    const found: string[][] = [[], [], []];
    let parts = 0;
    for (let from = 0; from < text.length; parts++) {
      const part = readText(text.slice(from), { isKnownBic, ...options });
      assert.ok(part.readTo > 0, `nothing read from ${from}`);
      from += part.readTo;
      for (const [kind, numbers] of listed(part).entries()) found[kind]!.push(...numbers);
    }
    assert.ok(parts > 10, `${parts} parts`);
    assert.deepEqual(found, listed(whole), JSON.stringify(options));
  }
});
