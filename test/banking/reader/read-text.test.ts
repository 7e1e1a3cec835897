import assert from "node:assert/strict";
import { test } from "node:test";
import { readText, type TextNumbers } from "../../../src/banking/reader/read-text.ts";
import { filters } from "../../suggest/engine.ts";
import { pluck } from "../../support/pluck.ts";

const isKnownInstitution = (institution: string) => filters.isKnownInstitution(institution);

function ibansIn(text: string) {
  return readText(text).ibans.map(({ start, end, iban }) => ({ text: text.slice(start, end), iban }));
}

function bicsIn(text: string) {
  return readText(text, { isKnownInstitution }).bics.map(({ start, end, bic }) => {
    assert.equal(text.slice(start, end).replaceAll(" ", "").toUpperCase(), bic);
    return bic;
  });
}

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
      assert.deepEqual(ibansIn(text), [{ text: spelling, iban: german }], text);
    }
  });
}

test("an IBAN in the subfields of MT940 is found", () => {
  const text = `:86:166?00GUTSCHRIFT?20RECHNUNG 4711?30COBADEFFXXX?31${german}?32ERIKA MUSTERMANN`;
  assert.deepEqual(ibansIn(text), [{ text: german, iban: german }]);
});

test("a damaged IBAN is found", () => {
  for (const damaged of [
    "DE89 3704 0044 0523 0130 00",
    "DE89 37O4 OO44 O532 O13O OO",
    "DE89 3704 0044 0532 0130 0",
    "DE89 3704 0044 0532 0130 000",
    "ED89 3704 0044 0532 0130 00",
    "DE89 3704 0044 0532 0l30 00",
  ]) {
    for (const text of [`IBAN: ${damaged}`, `Bankverbindung:\n${damaged}\nBIC: COBADEFFXXX`]) {
      const [found] = ibansIn(text);
      assert.equal(found?.text, damaged, text);
    }
  }
});

test("an IBAN is found in groups of its own, with more behind it or broken into lines, right or wrong", () => {
  for (const [text, ...expected] of [
    ["DE88 37040044 0532013000", "DE88370400440532013000"],
    ["DE88 370400440532013000", "DE88370400440532013000"],
    ["DE89 3704 0044 0532 0130 00 12", `${german}12`],
    ["DE89 3704 0044 0532 0130 00 1234", german],
    ["GB28 NW\u200bBK 6016 1331 9268 19", "GB28NWBK60161331926819"],
    ["IBAN: GB28\nNWBK 6016 1331 9268 19", "GB28NWBK60161331926819"],
    ["IBAN: DE88 3704 0044 0532 0130 00\nKOELN", "DE88370400440532013000"],
    ["IBAN: DE89 3704 0044 0532\n\n0130 00"],
    [`DE88 3704 0044 05320; ${german}`, german],
    ["bitte an DE8937040044O532013000 zahlen", "DE8937040044O532013000"],
    [
      "von GB29NWBK6016133192681 an GB29NWBK601613319268190",
      "GB29NWBK6016133192681",
      "GB29NWBK601613319268190",
    ],
    ["DE89370400440532013001BIC: COBADEFFXXX", "DE89370400440532013001"],
    ["IBAN DE89 3704 0044 0532 0130 01Betrag 12,00", "DE89370400440532013001"],
  ] as const) {
    assert.deepEqual(pluck(ibansIn(text), "iban"), expected, text);
  }
});

test("a number that a label announces is listed although nothing is known that it was meant to be", () => {
  assert.deepEqual(ibansIn("IBAN: DE89 3704 0044 0532 0130"), [
    { text: "DE89 3704 0044 0532 0130", iban: "DE893704004405320130" },
  ]);
});

test("a form with a box for each character is read", () => {
  assert.equal(ibansIn(`IBAN: ${[...german].join(" ")}`)[0]?.iban, german);
});

test("what follows without a space is not taken into the IBAN", () => {
  assert.deepEqual(ibansIn(`${german}COBADEFFXXX`), [{ text: german, iban: german }]);
});

const otherNumbers = [
  "USt-IdNr.: DE123456789, Steuernummer 12/345/67890",
  "VAT no. ATU12345678, FR12345678901, NL123456789B01, BE0123456789, GB123456789",
  "Tel. +49 89 1234567, Fax 089/1234-5678, mobile 0171 2345678",
  "Visa 4111 1111 1111 1111, Mastercard 5500-0000-0000-0004",
  "Order no. DE12-3456-7890-1234-5678-90 of 2026-11-03",
  "Bestellnummer DE12345678901234567890",
  "Auftrag AT12 3456 7890 1234 5678",
  "Gläubiger-ID: DE98ZZZ09999999999, Mandat M-2026-00017",
  "LEI 529900T8BM49AURSDO55, ISIN DE0005140008, EORI DE123456789012345",
  "RF18 5390 0754 7034",
  "SKU NO12AB34CD56EF7, order NL12ABCD123456789",
  "Tracking 1Z999AA10123456784, RR123456785DE",
  "ISBN 978-3-16-148410-0, IMEI 490154203237518, SIRET 73282932000074",
  "https://shop.example/DE89370400440532013001?order=DE89370400440532013001",
  "IBAN folgt per Post. Kreditkarte 4111 1111 1111 1111",
  "IBAN oder Kundennummer: DE12 3456 7890 1234 5678 90",
  "IBAN: 89 3704 0044 0532 0130 01 oder 89370400440532013001",
  "DE88 37040 044053 2013000",
  "IBAN: DE89 3704 00?? (Rest folgt)",
  "532013000 / 37040044 / 12345678",
  "Account 12345, sort code 20-00-00",
  "Account 55779911, sort code 1200000",
  "AT 10 o'clock, NO 12345678901 and IS 2026 11 03 14 15 16",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "RECHNUNG STANDARD DEUTSCHLAND ACHTUNG GARANTIE PRODUKTE MUSTERMANN KUNDENDIENST",
];

for (const text of otherNumbers) {
  test(`neither IBAN, BIC nor account is found in "${text}"`, () => {
    assert.deepEqual(readText(text).accounts, []);
    assert.deepEqual(ibansIn(text), []);
    assert.deepEqual(bicsIn(text), []);
  });
}

test("BICs are found by their label or their institution, and ordinary words are not", () => {
  assert.deepEqual(bicsIn("BIC: COBADEFFXXX"), ["COBADEFFXXX"]);
  assert.deepEqual(bicsIn("Die RECHNUNG geht an COBADEFF, nicht an DEUTSCHLAND."), ["COBADEFF"]);
  assert.deepEqual(bicsIn("SWIFT/BIC COBA DE FF XXX"), ["COBADEFFXXX"]);
  assert.deepEqual(bicsIn("BIC ABCDDEFF"), ["ABCDDEFF"]);
  assert.deepEqual(bicsIn("ABCDDEFF"), []);
  assert.deepEqual(bicsIn(`ABCDDEFFXXX, ${german}`), ["ABCDDEFFXXX"]);
  assert.deepEqual(bicsIn(`${german} (SWIFT code) ABCDDEFF`), ["ABCDDEFF"]);
  assert.deepEqual(bicsIn(`ABCDATWW, ${german}, STANDARD ABCDDEFF`), []);
});

test("text of any kind and length is gone through without an error", () => {
  for (const text of [
    "",
    "\u0000",
    "\ud800",
    "IBAN",
    "IBAN ".repeat(2_000),
    "DE89 ".repeat(2_000),
    "A1".repeat(5_000),
  ]) {
    const { ibans } = readText(text, { isKnownInstitution });
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

test("groups that are farther apart than a line break with its indentation are not one IBAN", () => {
  const apart = (spaces: number) => ibansIn(`IBAN: DE89 3704 0044 0532${" ".repeat(spaces)}0130 00`);
  assert.deepEqual(pluck(apart(40), "iban"), [german]);
  assert.ok(!apart(41).some(({ iban }) => iban === german));
});

test("a text that takes too long, or has too many numbers, is read in parts, each from where the one before ended", () => {
  const text =
    `${"DE8 9 ".repeat(200)} IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, or DE75 5121 0800 1245 1261 98. ${[
      "Konto: 5320 13000, bei der Commerzbank, BLZ: 370 400 44, danke. ".repeat(5),
      "532013000 (BLZ 37040044), which is an account whose number comes before its bank code. And then: Kontonummer: 532013001 BLZ\n37040044 / ",
      ":25:37040044/532013002\n".repeat(5),
    ].join("")}`.repeat(6);
  const listed = ({ ibans, bics, accounts }: TextNumbers) => ({
    ibans: pluck(ibans, "iban"),
    bics: pluck(bics, "bic"),
    accounts: pluck(accounts, "account"),
  });
  const whole = readText(text, { isKnownInstitution });
  assert.equal(whole.readTo, text.length);
  assert.equal(whole.accounts.length, 6 * 12);
  for (const options of [{ isOver: () => true }, { maxFound: 1 }, { maxFound: 3 }]) {
    const found = { ibans: [] as string[], bics: [] as string[], accounts: [] as string[] };
    let parts = 0;
    for (let from = 0; from < text.length; parts++) {
      const part = readText(text.slice(from), { isKnownInstitution, ...options });
      assert.ok(part.readTo > 0, `nothing read from ${from}`);
      from += part.readTo;
      for (const kind of ["ibans", "bics", "accounts"] as const) found[kind].push(...listed(part)[kind]);
    }
    assert.ok(parts > 10, `${parts} parts`);
    assert.deepEqual(found, listed(whole), JSON.stringify(options));
  }
});
