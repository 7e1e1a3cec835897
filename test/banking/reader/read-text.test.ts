import assert from "node:assert/strict";
import { test } from "node:test";
import { readText, type TextNumbers } from "../../../src/banking/reader/read-text.ts";
import { filters } from "../../suggest/engine.ts";
import { pluck } from "../../support/pluck.ts";

const isKnownInstitution = (institution: string) => filters.isKnownInstitution(institution);

/** The IBANs, BICs and accounts of a text (`country:bank code/account`); each is marked where it is written. */
function numbersIn(text: string): string {
  const { ibans, bics, accounts } = readText(text, { isKnownInstitution });
  const found = [
    ...ibans.map(({ iban, ...place }) => ({ ...place, spelt: iban })),
    ...bics.map(({ bic, ...place }) => ({ ...place, spelt: bic })),
    ...accounts.map(({ country, bankCode, account, inAnyOrder, ...place }) => ({
      ...place,
      spelt: `${country}:${bankCode}/${account}${inAnyOrder ? " or reverse" : ""}`,
    })),
  ];
  for (const { kind, spelt, start, end } of found) {
    const marked = text.slice(start, end);
    if (kind !== "account") assert.equal(marked.match(/[\p{L}\p{N}?_*•€]/gu)?.length, spelt.length, marked);
    else assert.ok(marked.replace(/\D/g, "").includes(spelt.split(/[/ ]/)[1]!), marked);
  }
  return pluck(found, "spelt").join(" ");
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
      const found = readText(text).ibans.map(({ start, end, iban }) => ({
        text: text.slice(start, end),
        iban,
      }));
      assert.deepEqual(found, [{ text: spelling, iban: german }], text);
    }
  });
}

const wrong = "DE88370400440532013000";
const wrongInFours = "DE88 3704 0044 0532 0130 00";
const inFours = "DE89 3704 0044 0532 0130 00";
/** Too short by two, so that only a label says what it is. */
const short = "DE123456789012345678";
const account = "DE:37040044/532013000";

const promises: Readonly<Record<string, readonly (readonly [text: string, numbers?: string])[]>> = {
  "a damaged IBAN is found as it is written, where a label or its form says what it is": [
    ["IBAN: DE89 3704 0044 0523 0130 00", "DE89370400440523013000"],
    ["Bankverbindung:\nDE89 3704 0044 0532 0130 0\nBIC: COBADEFFXXX", "DE8937040044053201300 COBADEFFXXX"],
    ["Bankverbindung:\nDE89 3704 0044 0532 0130 000", `${german}0`],
    ["Bankverbindung:\nDE89 3704 0044 0532 0l30 00", "DE893704004405320I3000"],
    ["Our IBAN is D8E9 3704 0044 0532 0130 00", "D8E9370400440532013000"],
    ["0E89 3704 0044 0532 0130 00", "0E89370400440532013000"],
    ["Konto D€89 3704 0044 0532 0130 00, 100€ 12", german],
    ["IBAN ED89370400440532013000", "ED89370400440532013000"],
    ["DE88 37O4OO44 0532013000"],
    ["DE88 37O4OO440532013000"],
    ["IBAN0E89370400440532013000", "0E89370400440532013000"],
    ["IBAN: DE89 3704 0044 0532 0130", "DE893704004405320130"],
    ["IBAN siehe unten.\n\nKöln, DE88 3704 0044 0532 01", "DE8837040044053201"],
    ["Köln, DE88 3704 0044 0532 01"],
  ],
  "an IBAN is found in groups of its own, right or wrong": [
    ["DE88 37040044 0532013000", wrong],
    ["DE88 370400440532013000", wrong],
    ["DE 88 3704 0044 0532 0130 00", wrong],
    ["Meine IBAN: de 89 3704 0044 0532 0130 00", german],
    ["DE88 3704  0044 0532 0130 00", wrong],
    ["DE88 3704  0044 0532  0130 00"],
    ["DE883704 00440532 013000"],
    ["DE88 37040 044053 2013000"],
    ["GB28 NW\u200bBK 6016 1331 9268 19", "GB28NWBK60161331926819"],
    ["IBAN: GB28\nNWBK 6016 1331 9268 19", "GB28NWBK60161331926819"],
    ["IBAN: GB29\nNWBK 6016 1331 9268 19", "GB29NWBK60161331926819"],
    ["MU17 BOMM 0101 1010 3030 0200 000M\nUR", "MU17BOMM0101101030300200000MUR"],
    ["IBAN NL92 ABNA 0417\nRABOBANK 0417 1643 00"],
    ["ＤＥ８８ ３７０４ ００４４ ０５３２ ０１３０ ００", wrong],
    [`IBAN: ${[...german].join(" ")}`, german],
    [`:86:166?00GUTSCHRIFT?20RECHNUNG 4711?30COBADEFFXXX?31${german}?32ERIKA`, `${german} COBADEFFXXX`],
    ["IBAN DE89 3704 0044, 0532 0130 00"],
  ],
  "an IBAN that no space keeps from a word, or that has a slip or a figure too few or too many, is found in a sentence":
    [
      ["bitte an DE8937040044O532013000 zahlen", "DE8937040044O532013000"],
      ["von GB29NWBK6016133192681 an uns", "GB29NWBK6016133192681"],
      ["an GB29NWBK601613319268190", "GB29NWBK601613319268190"],
      ["DE89370400440532013001BIC: COBADEFFXXX", "DE89370400440532013001 COBADEFFXXX"],
      ["IBAN DE89 3704 0044 0532 0130 01Betrag 12,00", "DE89370400440532013001"],
    ],
  "what follows an IBAN is not taken into it, but for digits at the end of the text": [
    [`${inFours} 12`, `${german}12`],
    [`${inFours}-12`, `${german}12`],
    [`${inFours} 12 Stück`, german],
    [`${inFours} 1234`, german],
    [`IBAN: ${wrongInFours}\nKOELN`, wrong],
    [`IBAN: ${wrongInFours} BIC COBADEFFXXX`, `${wrong} COBADEFFXXX`],
    [`DE88 3704 0044 05320; ${german}`, german],
    [`${german}COBADEFFXXX`, german],
    ["IBAN DE88 3704 0044 0532 01 Bank", "DE8837040044053201"],
    [`IBAN DE88 3704 0044 0532 01 IBAN ${inFours}`, `DE8837040044053201 ${german}`],
    [`IBAN${wrong}DE02120300000000202051`, `${wrong} DE02120300000000202051`],
    [`${wrong}IBAN: DE02120300000000202051`, `${wrong} DE02120300000000202051`],
  ],
  "the digits of an IBAN whose country is missing are found after a label, if just one country fits": [
    ["IBAN A 89 3704 0044 0532 0130 00", "89370400440532013000"],
    ["IBAN: 89 3704 0044 0532 0130 01 oder 89370400440532013000"],
    // Of the Faroe Islands or of Greenland.
    ["IBAN: 62 6460 0001 6316 34"],
  ],
  "a mark in the place of a digit or a letter makes it unreadable": [
    ["Ist DE89 3704 0044 05?2 0130 00? Danke", "DE893704004405?2013000"],
    ["GB29 NW?K 6016 1331 9268 19", "GB29NW?K60161331926819"],
    ["IBAN: DE89 3704 00?? (Rest folgt)"],
  ],
  "a label may be a few words of the same sentence before the number, a word of another number is none": [
    [`IBAN-Nr.: ${short}`, short],
    [`IBAN du bénéficiaire : ${short}`, short],
    [`IBAN des Zahlungsempfängers in Deutschland (ab Januar): ${short}`, short],
    [`IBAN lautet ${"x".repeat(56)} ${short}`, short],
    [`IBAN folgt. Nr. ${short}`],
    [`IBAN\nKonto\n${short}`],
    [`IBAN 7: ${short}`],
    [`MIBAN ${short}`],
    [`IBAN, USt-IdNr. ${short}`],
    [`IBAN oder Kundennr. ${short}`],
    [`IBAN, cliente número ${short}`],
    [`Ref. ${wrong}`],
    [`Rechnung bitte auf ${wrong} zahlen`, wrong],
    ["IBAN folgt per Post. Kreditkarte 4111 1111 1111 1111"],
  ],
  "no number of another kind is an IBAN, a BIC or an account": [
    ["USt-IdNr.: DE123456789, Steuernummer 12/345/67890"],
    ["VAT no. ATU12345678, FR12345678901, NL123456789B01, BE0123456789, GB123456789"],
    ["Tel. +49 89 1234567, Fax 089/1234-5678, mobile 0171 2345678"],
    ["Visa 4111 1111 1111 1111, Mastercard 5500-0000-0000-0004"],
    ["4111 1111 1111 1111"],
    ["Order no. DE12-3456-7890-1234-5678-90 of 2026-11-03"],
    ["Bestellnummer DE12345678901234567890"],
    ["Auftrag AT12 3456 7890 1234 5678"],
    ["Gläubiger-ID: DE98ZZZ09999999999, Mandat M-2026-00017"],
    ["IBAN: DE98ZZZ09999999999"],
    ["LEI 529900T8BM49AURSDO55, ISIN DE0005140008, EORI DE123456789012345"],
    ["RF18 5390 0754 7034"],
    ["SKU NO12AB34CD56EF7, order NL12ABCD123456789"],
    ["IBAN RF18 5390 0754 7034"],
    ["Tracking 1Z999AA10123456784, RR123456785DE"],
    ["ISBN 978-3-16-148410-0, IMEI 490154203237518, SIRET 73282932000074"],
    ["https://shop.example/DE89370400440532013001?order=DE89370400440532013001"],
    [`https://shop.example/?x=${german} und DE02120300000000202051`, "DE02120300000000202051"],
    [`Gruß${german}`],
    ["AT 10 o'clock, NO 12345678901 and IS 2026 11 03 14 15 16"],
    ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["550e8400-e29b-41d4-a716-446655440000"],
    ["RECHNUNG STANDARD DEUTSCHLAND ACHTUNG GARANTIE PRODUKTE MUSTERMANN KUNDENDIENST"],
  ],
  "a BIC is found by its label, its institution or an IBAN beside it; ordinary words are not": [
    ["Die RECHNUNG geht an COBADEFF, nicht an DEUTSCHLAND.", "COBADEFF"],
    ["SWIFT/BIC COBA DE FF XXX", "COBADEFFXXX"],
    ["BIC COBA DEFF XXX", "COBADEFFXXX"],
    ["BIC COBA DE FF", "COBADEFF"],
    ["cobadeff"],
    ["GrußCOBADEFFXXX"],
    ["BIC ABCDDEFF", "ABCDDEFF"],
    ["SWIFT-Adresse ABCDDEFF", "ABCDDEFF"],
    [`ABCDDEFFXXX, ${german}`, `${german} ABCDDEFFXXX`],
    [`${german} (SWIFT code) ABCDDEFF`, `${german} ABCDDEFF`],
    [`ABCDATWW, ${german}, STANDARD ABCDDEFF`, german],
  ],
  "an account number and a bank code are found by their names, near each other": [
    ["BLZ 370 400 44 532 013 000", account],
    ["Konto 532013000, bei der Sparkasse Musterstadt in Köln, BLZ 37040044", account],
    ["Konto 532013000, bei der Sparkasse Musterstadt an der Ruhr in der Hauptstraße, BLZ 37040044"],
    ["532013000 BLZ 37040044; Konto 648479930 BLZ 50010517", `${account} DE:50010517/648479930`],
    [
      "Konto 648479930, BLZ 50010517\n:25:37040044/532013000\nBLZ 12030000 Konto 202051",
      `DE:50010517/648479930 ${account} DE:12030000/202051`,
    ],
    ["BLZ 37040044, Konto 532013000 und Konto 123456", `${account} DE:37040044/123456`],
    [`IBAN ${inFours}, Konto 0532013000, BLZ 37040044`, `${german} DE:37040044/0532013000`],
    ["Sort code 20-00-00, account 557799", "GB:200000/557799"],
    ["Sort code 20-00-00, account 55779911990"],
    ["sort code 200000 5577991"],
    ["Account 55779911, sort code 1200000"],
  ],
  "two numbers without names are an account where one of them is a bank code": [
    ["37040044 (532013000)", account],
    ["37040044 1", "DE:37040044/1"],
    ["12345676 37040044", "DE:37040044/12345676 or reverse"],
    ["20-00-00, 55779911 ", "GB:200000/55779911"],
    ["370 400 44 12"],
    ["37040044, 12345678901"],
    ["532013000 / 37040044 / 12345678"],
    [`37040044 532013000${" ".repeat(43)}`],
  ],
};

for (const [promise, texts] of Object.entries(promises)) {
  test(promise, () => {
    for (const [text, numbers = ""] of texts) assert.equal(numbersIn(text), numbers, text);
  });
}

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
  const apart = (spaces: number) => numbersIn(`IBAN: DE89 3704 0044 0532${" ".repeat(spaces)}0130 00`);
  assert.deepEqual([apart(40), apart(41)], [german, ""]);
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
