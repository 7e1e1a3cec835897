import assert from "node:assert/strict";
import { test } from "node:test";
import { readText } from "../../../src/banking/reader/read-text.ts";
import { isKnownBic } from "../../suggest/engine.ts";
import { pluck } from "../../support/pluck.ts";

/** The IBANs, BICs and accounts of a text (`country:bank code/account`); each is marked where it is written. */
function numbersIn(text: string): string {
  const { ibans, bics, accounts } = readText(text, { isKnownBic });
  const found = [
    ...ibans.map(({ iban, ...place }) => ({ ...place, spelt: iban })),
    ...bics.map(({ bic, ...place }) => ({ ...place, spelt: bic })),
    ...accounts.map(({ country, bankCode, account, inAnyOrder, ...place }) => ({
      ...place,
      spelt: `${country}:${bankCode}/${account}${inAnyOrder ? " or reverse" : ""}`,
    })),
  ];
  for (const { spelt, start, end } of found) {
    const marked = text.slice(start, end);
    if (!spelt.includes(":")) assert.equal(marked.match(/[\p{L}\p{N}?_*•€]/gu)?.length, spelt.length, marked);
    else assert.ok(marked.normalize("NFKC").replace(/\D/g, "").includes(spelt.split(/[/ ]/)[1]!), marked);
  }
  return pluck(found, "spelt").join(" ");
}

const german = "DE89370400440532013000";
const wrong = "DE88370400440532013000";
const wrongInFours = "DE88 3704 0044 0532 0130 00";
const inFours = "DE89 3704 0044 0532 0130 00";
/** Too short by two, so that only a label says what it is. */
const short = "DE123456789012345678";
const account = "DE:37040044/532013000";

const promises: Readonly<Record<string, readonly (readonly [text: string, numbers?: string])[]>> = {
  "a number is found behind a line break or tab as JSON writes it": [
    [`Zahlung an\\n${german}\\r\\nBIC:\\tCOBADEFFXXX`, `${german} COBADEFFXXX`],
    ["Konto 532013000\\nBLZ 37040044", account],
  ],
  "a damaged IBAN is found as it is written, where a label or its form says what it is": [
    ["Bankverbindung:\nDE89 3704 0044 0532 0130 0\nBIC: COBADEFFXXX", "DE8937040044053201300 COBADEFFXXX"],
    ["Bankverbindung:\nDE89 3704 0044 0532 0130 000", `${german}0`],
    ["Bankverbindung:\nDE89 3704 0044 0532 0l30 00", "DE893704004405320I3000"],
    ["Our IBAN is D8E9 3704 0044 0532 0130 00", "D8E9370400440532013000"],
    ["0E89 3704 0044 0532 0130 00", "0E89370400440532013000"],
    ["Konto D€89 3704 0044 0532 0130 00, 100€ 12", german],
    ["IBAN ED89370400440532013000", "ED89370400440532013000"],
    ["ED89370400440532013000"],
    ["DE88 37O4OO44 0532013000"],
    ["DE88 37O4OO440532013000"],
    ["IBAN0E89370400440532013000", "0E89370400440532013000"],
    ["IBAN siehe unten.\n\nKöln, DE88 3704 0044 0532 01", "DE8837040044053201"],
    ["Köln, DE88 3704 0044 0532 01"],
    ["IBAN: AT61 1904 3002 3457 3202 1. Danke", "AT6119043002345732021"],
    ["IBAN: AT61 1904 3002 3457 3202 1,50 EUR", "AT611904300234573202"],
    ["IBAN: DE88 3704 0044 0532 0130 0\n1 250,00 zł", "DE8837040044053201300"],
    ["IBAN: DE62 6842 6834 4043 6830\n2", "DE6268426834404368302"],
    ["it60 l054 2811 1010 0000 0123 456", "IT60L0542811101000000123456"],
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
    ["IBAN DE89 3704 0044, 0532 0130 00"],
    ["IBAN: DE89 3704 0044 0532\n\n0130 00"],
    // A line break with its indentation is shorter.
    [`IBAN: DE89 3704 0044 0532${" ".repeat(40)}0130 00`, german],
    [`IBAN: DE89 3704 0044 0532${" ".repeat(41)}0130 00`],
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
    ["IBAN NO93 8601 1117 94\tIČO 12345678", "NO938601111794"],
    ["IBAN LU28 0019 4006 4475 001\nN° 4", "LU28001940064475001"],
    ["IBAN EE38 2200 2210 2014 568 T.C.", "EE38220022102014568"],
    ["DIČ CZ83041203\nLT12  1000  0111  0100  1001", "LT121000011101001001"],
    [`${inFours} 12\n`, `${german}12`],
    [`${inFours}-12`, `${german}12`],
    [`${inFours} 12 Stück`, german],
    [`${inFours} 1234`, german],
    [`IBAN: ${wrongInFours}\nKOELN`, wrong],
    [`IBAN: ${wrongInFours} BIC COBADEFFXXX`, `${wrong} COBADEFFXXX`],
    [`DE88 3704 0044 05320; ${german}`, german],
    [`${german}COBADEFFXXX`, german],
    [`口座番号${german}です。BIC：COBADEFFXXX`, `${german} COBADEFFXXX`],
    ["IBAN DE88 3704 0044 0532 01 Bank", "DE8837040044053201"],
    [`IBAN DE88 3704 0044 0532 01 IBAN ${inFours}`, `DE8837040044053201 ${german}`],
    [`IBAN${wrong}DE02120300000000202051`, `${wrong} DE02120300000000202051`],
    [`${wrong}IBAN: DE02120300000000202051`, `${wrong} DE02120300000000202051`],
  ],
  "the digits of an IBAN whose country is missing are found after a label, if just one country fits": [
    ["IBAN A 89 3704 0044 0532 0130 00", "89370400440532013000"],
    ["IBAN89370400440532013000", "89370400440532013000"],
    ["IBAN: 89 3704 0044 0532 0130 01 oder 89370400440532013000"],
    // Of the Faroe Islands or of Greenland.
    ["IBAN: 62 6460 0001 6316 34"],
  ],
  "a mark in the place of a digit or a letter makes it unreadable": [
    ["Ist DE89 3704 0044 05?2 0130 00? Danke", "DE893704004405?2013000"],
    ["GB29 NW?K 6016 1331 9268 19", "GB29NW?K60161331926819"],
    ["IBAN DE?? 3704 0044 0532 0130 00", "DE??370400440532013000"],
    ["GB?9 NWBK 6016 1331 9268 19", "GB?9NWBK60161331926819"],
    // A letter of the account, since the number is right with it.
    ["FR71 2004 1010 0505 0001 3X02 627 Danke", "FR7120041010050500013X02627"],
    ["FR71 2004 1010 0505 0001 3X02 628", "FR7120041010050500013X02628"],
    ["FR71 2004 1010 05XX XXXX XX02 628", "FR712004101005????????02628"],
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
    [`I.B.A.N. : ${short}`, short],
    [`I B A N ${short}`, short],
    [`LEI ${wrong}`],
    [`3.490,84 lei\n${wrong}`, wrong],
    [`Herr Leitner: ${wrong}`, wrong],
    [`Auftraggeber: ${wrong}`, wrong],
    [`UStIdNr ${wrong}`],
    [`IBAN, USt-IdNr. ${short}`],
    [`IBAN oder Kundennr. ${short}`],
    [`IBAN, cliente número ${short}`],
    [`Ref. ${wrong}`],
    [`Rechnung bitte auf ${wrong} zahlen`, wrong],
    [`Rechnung IBAN${wrong}`, wrong],
    ["IBAN folgt per Post. Kreditkarte 4111 1111 1111 1111"],
  ],
  "no number of another kind is an IBAN, a BIC or an account": [
    ["VAT no. ATU12345678, FR12345678901, NL123456789B01, BE0123456789, GB123456789"],
    ["Tel. +49 89 1234567, Fax 089/1234-5678, mobile 0171 2345678"],
    ["Visa 4111 1111 1111 1111, Mastercard 5500-0000-0000-0004"],
    ["Order no. DE12-3456-7890-1234-5678-90 of 2026-11-03"],
    ["Auftrag AT12 3456 7890 1234 5678"],
    ["IBAN: DE98ZZZ09999999999"],
    ["CUPS ES4653759973204378PB. Código IBAN: -"],
    ["RUM ADS122677485732778\nRCS Paris, IBAN: -"],
    ["Nr ABC2026137793757 DK84"],
    ["HRB 62756, BLZ 37040044"],
    ["Tel. 0221 123456, BLZ 37040044"],
    ["Tel. (0221) 123456, BLZ 37040044"],
    ["+49 221 1234567, BLZ 37040044"],
    ["Datum: März 2026, BLZ 37040044"],
    ["LEI 529900T8BM49AURSDO55, ISIN DE0005140008, EORI DE123456789012345"],
    ["SKU NO12AB34CD56EF7, order NL12ABCD123456789"],
    ["IBAN RF18 5390 0754 7034"],
    ["Tracking 1Z999AA10123456784, RR123456785DE"],
    ["ISBN 978-3-16-148410-0, IMEI 490154203237518, SIRET 73282932000074"],
    ["https://shop.example/DE89370400440532013001?order=DE89370400440532013001"],
    [`https://shop.example/?x=${german} und DE02120300000000202051`, "DE02120300000000202051"],
    [`Gruß${german}`],
    [`${wrong}AB`],
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
    ["BIC COBADEFF XXX", "COBADEFFXXX"],
    ["BIC COBA DE FFXXX", "COBADEFFXXX"],
    ["BIC cobadeff", "COBADEFF"],
    ["Die BIC hat Cobadeff nicht genannt"],
    ["BIC: DEUTDEFF und Konto folgen", "DEUTDEFF"],
    ["BIC DEUTDEFF KTO folgt", "DEUTDEFF"],
    ["BIC DEUTDEFF 100,00 EUR", "DEUTDEFF"],
    ["BIC MARKDEF1 100", "MARKDEF1100"],
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
    ["B.L.Z. 37040044, Kt.-Nr. 532 013 000", account],
    ["Tel. 030 12345678\nBLZ 370 400 44 Ktnr: 532013000", account],
    ["BLZ 37040044 Konto 532013000 100 EUR", account],
    ["BLZ 37040044 Konto 532 013 000 1.100,00 Euro", account],
    ["BLZ 37040044 Konto 532013000 100,00", account],
    ["Konto 532013000, bei der Sparkasse Musterstadt in Köln, BLZ 37040044", account],
    ["Konto 532013000, bei der Sparkasse Musterstadt an der Ruhr in der Hauptstraße, BLZ 37040044"],
    ...[
      "532013000 BLZ 37040044; Konto 648479930 BLZ 50010517",
      "532013000 (BLZ 37040044), Konto 648479930 (BLZ 50010517)",
      "532013000 (BLZ 37040044)\tKonto 648479930\tBLZ 50010517",
      "(BLZ 37040044) Konto 532013000, (BLZ 50010517) Konto 648479930",
      "Beleg 42515296 (BLZ 37040044) Konto 532013000, (BLZ 50010517) Konto 648479930",
      "Spendenkonto 532013000 (BLZ 37040044), Bankkonto 648479930 (BLZ 50010517)",
    ].map((text) => [text, `${account} DE:50010517/648479930`] as const),
    ["(BLZ) 37040044, Konto 532013000", account],
    ["Account no 3192 6819 - Sort code 60-16-13", "GB:601613/31926819"],
    [
      "Konto 648479930, BLZ 50010517\n:25:37040044/532013000\nBLZ 12030000 Konto 202051",
      `DE:50010517/648479930 ${account} DE:12030000/202051`,
    ],
    ["BLZ 37040044, Konto 532013000 und Konto 123456", `${account} DE:37040044/123456`],
    [`IBAN ${inFours}, Konto 0532013000, BLZ 37040044`, `${german} DE:37040044/0532013000`],
    ["Sort code 20-00-00, account 557799", "GB:200000/557799"],
    ["Sort code 20-00-00, account 5577991199", "GB:200000/5577991199"],
    ["Sort code 20-00-00, account 55779911990"],
    ["sort code 20-00-00 55779911", "GB:200000/55779911"],
    ["Konto 12345678901, BLZ 37040044"],
    ["sort code 200000 5577991"],
    ["Account 55779911, sort code 1200000"],
    ["Konto-Nr. 1: 532013000, BLZ 37040044", account],
    ["Die BLZ ist 37040044, die Kontonummer lautet: 532013000", account],
    ["Account number is 55779911 and sort code is 20-00-00", "GB:200000/55779911"],
    ["KTO532013000 BLZ37040044", account],
    // NO is the country.
    ["BLZ 37040044, Konto NO93 8601 1117"],
    ["compte n° 532013000, BLZ 37040044", account],
    ["Konto 55779911, BLZ 370400"],
    ["Konto 55779911, Bankleitzahl (sort code): 200000", "GB:200000/55779911"],
    ["BLZ 20-00-00, Konto 55779911", "GB:200000/55779911"],
  ],
  "the blanks, dashes and figures of typesetters are as good as those of a keyboard": [
    ["Kto.\u00a0532\u202f013\u202f000, BLZ 370\u2009400\u200944", account],
    ["BLZ \u200e37040044\u202c, Kto. 532\u200b013\u200b000", account],
    ["<b>BLZ&nbsp;370&nbsp;400&nbsp;44</b> Konto&nbsp;532013000", account],
    ["Kto. 532\u200b 013 \u200b000, BLZ 370 \u2060400 44", account],
    ["Sort code 20\u201100\u201100, account 55779911", "GB:200000/55779911"],
    ["ＫＴＯ　５３２０１３０００　ＢＬＺ　３７０４００４４", account],
    ["ＤＥ８９－３７０４－００４４－０５３２－０１３０－００", german],
    ["DE89・3704・0044・0532・0130・00", german],
  ],
  "both numbers of an account may follow both names, in the same order": [
    ["Kto/BLZ 532013000/37040044", account],
    ["BLZ/Konto-Nr.: 370 400 44 / 532 013 000", account],
    ["Konto (BLZ): 532013000 (37040044), Erika Mustermann", account],
    ["Konto-Nr.\tBLZ\n532013000\t37040044\n", account],
    ["BLZ/Kto 37040044/12345676", "DE:37040044/12345676"],
    ["Sort code and account number: 20-00-00 55779911", "GB:200000/55779911"],
    ["Konto (BLZ 37040044) 532013000"],
    ["KTO/BLZ 532013000/37040044 100,00 EUR", account],
  ],
  "two numbers without names are an account where one of them is a bank code": [
    ["37040044 (532013000)", account],
    ["37040044 1", "DE:37040044/1"],
    ["12345676 37040044", "DE:37040044/12345676 or reverse"],
    ["20-00-00, 55779911 ", "GB:200000/55779911"],
    ["55779911 20-00-00", "GB:200000/55779911"],
    ["370 400 44 12"],
    ["12.03.2026 4711"],
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
