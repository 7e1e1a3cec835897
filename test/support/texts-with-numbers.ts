/** A text as people send it, and the numbers that every place that reads text must find in it, in order. */
export interface TextWithNumbers {
  readonly text: string;
  /** Right and wrong ones alike; `?` is unreadable. */
  readonly ibans: readonly string[];
  readonly bics?: readonly string[];
  /** `country:bank code/account` each. */
  readonly accounts?: readonly string[];
}

const commerzbank = "DE89370400440532013000";
const mistyped = "DE75512108001245126198";
const berlin = "DE02120300000000202051";

/** Mails, chats, invoices, tables and scans in German, English and French. */
export const textsWithNumbers: readonly TextWithNumbers[] = [
  { text: "Konto ＤＥ８９３７０４００４４０５３２０１３０００, danke", ibans: [commerzbank] },
  { text: `BIC: COBADEFF und IBAN ${commerzbank}`, ibans: [commerzbank], bics: ["COBADEFF"] },
  { text: "FR71 2004 1010 0505 0001 3X02 627", ibans: ["FR7120041010050500013X02627"] },
  { text: `\\n${commerzbank}`, ibans: [commerzbank] },
  {
    text: "Bisher: IBAN DE89 3704 0044 0532 0130 00 / Neu: IBAN DE75 5121 0800 1245 1261 98",
    ibans: [commerzbank, mistyped],
  },
  { text: "Bitte auf DE75 5121 0800 1245 1261 98", ibans: [mistyped] },
  {
    text: "Unsere IBANs: DE8937040044053201, DE75512108001245126198",
    ibans: ["DE8937040044053201", mistyped],
  },
  { text: `${commerzbank}${mistyped}`, ibans: [commerzbank, mistyped] },
  { text: `${mistyped}${commerzbank}`, ibans: [mistyped, commerzbank] },
  {
    text: "Bitte auf DE89 3704 0044 0532 0130 00DE75 5121 0800 1245 1261 98",
    ibans: [commerzbank, mistyped],
  },
  { text: `IBAN${commerzbank}IBAN${mistyped}`, ibans: [commerzbank, mistyped] },
  { text: "IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX", ibans: [commerzbank], bics: ["COBADEFFXXX"] },
  { text: "[23.11.26, 09:12] Anna: DE89 3704 0044 0532 0130 00", ibans: [commerzbank] },
  {
    text: "[23.11.26, 09:12] Anna: hier die neue\n[23.11.26, 09:13] Anna: DE75512108001245126198\n[23.11.26, 09:13] Ben: 👍",
    ibans: [mistyped],
  },
  {
    text: "Hallo Frau Weber,\n\nbitte ab Januar auf dieses Konto:\n\nIBAN: DE02 1203 0000 0000 2020 51\nBIC: BYLADEM1001\n\nGruß\nT. Kern",
    ibans: [berlin],
    bics: ["BYLADEM1001"],
  },
  {
    text: "RE-Nr. 2026-114, USt-IdNr. DE123456789, Steuernr. 12/345/67890, zahlbar auf DE89370400440532013000",
    ibans: [commerzbank],
  },
  { text: "Empfänger;IBAN;Betrag\nMüller GmbH;DE89 3704 0044 0532 0130 00;1.250,00", ibans: [commerzbank] },
  {
    text: "1. DE89370400440532013000\n2. DE02120300000000202051\n3. DE75512108001245126198",
    ibans: [commerzbank, berlin, mistyped],
  },
  { text: "| Konto | DE89-3704-0044-0532-0130-00 | 12,50 |", ibans: [commerzbank] },
  { text: "lBAN: DE89 37O4 OO44 O532 O13O OO", ibans: ["DE8937O4OO44O532O13OOO"] },
  { text: "IBAN DE89 37?4 0044 0532 01?0 00", ibans: ["DE8937?40044053201?000"] },
  { text: "Konto laut Scan: DE89 3704 0044 05xx 0130 00", ibans: ["DE893704004405??013000"] },
  { text: "Auf dem Fax: DE89 3704 0044 0532 _130 00", ibans: ["DE89370400440532?13000"] },
  { text: "Stimmt DE89 3704 0044 0532 0130 00?", ibans: [commerzbank] },
  { text: "IBAN: 0E89 3704 0044 0532 0130 00", ibans: ["0E89370400440532013000"] },
  { text: "D€89 3704 0044 0532 0130 00", ibans: [commerzbank] },
  { text: "IBAN: 89 3704 0044 0532 0130 00 (Commerzbank)", ibans: ["89370400440532013000"] },
  { text: "IBAN: DE89 3704 0044 0532 0130", ibans: ["DE893704004405320130"] },
  { text: "DE89 3704 0044 0532 0130 00 0", ibans: ["DE893704004405320130000"] },
  {
    text: "IBAN DE89 3704 0044\n> 0532 0130 00\n> BIC COBADEFFXXX",
    ibans: [commerzbank],
    bics: ["COBADEFFXXX"],
  },
  {
    text: "Please remit to IBAN GB29 NWBK 6016 1331 9268 19 (SWIFT NWBKGB2L), VAT GB123456789, tel. +44 20 7946 0000",
    ibans: ["GB29NWBK60161331926819"],
    bics: ["NWBKGB2L"],
  },
  { text: "Hi, it's NL91 ABNA 0417 1643 00 – thanks!", ibans: ["NL91ABNA0417164300"] },
  {
    text: "Pay NL91ABNA0417164301 by Friday, order no. DE12345678901234567890",
    ibans: ["NL91ABNA0417164301"],
  },
  { text: "Sort code 20-00-00 Account 55779911", ibans: [], accounts: ["GB:200000/55779911"] },
  { text: "60-16-13 31926819", ibans: [], accounts: ["GB:601613/31926819"] },
  {
    text: "Barclays, account no. 55779911, sort code 20 00 00, ref INV-2026-77",
    ibans: [],
    accounts: ["GB:200000/55779911"],
  },
  {
    text: "Weber 532013000 BLZ 37040044; Lang Kontonummer 202051, BLZ 12030000",
    ibans: [],
    accounts: ["DE:37040044/532013000", "DE:12030000/202051"],
  },
  // Accounts that share a bank code, a wrong one among them.
  ...[
    "BLZ 37040044, Konto 532013000, Konto 532013001",
    "Konto 532013000 und Konto 532013001, BLZ 37040044",
    "Kontonummer 532013000, BLZ 37040044\nKontonummer 532013001",
    "BLZ 37040044: Konten 532013000, 532013001, 50667 Köln",
    "Konto: 532013000 / 532013001 (BLZ: 37040044)",
    "Konto 1: 532013000, Konto 2: 532013001, BLZ 37040044",
    "Accounts 532013000 and 532013001, sort code 37040044; account 1200 is petty cash",
  ].map((text) => ({
    text,
    ibans: [],
    accounts: ["DE:37040044/532013000", "DE:37040044/532013001"],
  })),
  // No part of a number with signs in it is a number.
  { text: "KtoNr 1234/56789-0 BLZ 37040044", ibans: [] },
  { text: "KtoNr 1234/56789 BLZ 37040044", ibans: [] },
  { text: ":25:37040044/12345678901", ibans: [] },
  {
    text: "BLZ 37040044, Konto 532013000, 125000,00 EUR, Rechnung 20261234",
    ibans: [],
    accounts: ["DE:37040044/532013000"],
  },
  {
    text: "Mehrere Konten: Kto. 532013000 (BLZ 37040044) und Konto-Nr. 202051, Bankleitzahl 12030000.",
    ibans: [],
    accounts: ["DE:37040044/532013000", "DE:12030000/202051"],
  },
  {
    text: "Merci de virer 120,00 € sur le compte FR14 2004 1010 0505 0001 3M02 606, BIC PSSTFRPPLIL.",
    ibans: ["FR1420041010050500013M02606"],
    bics: ["PSSTFRPPLIL"],
  },
  {
    text: "IBAN du bénéficiaire :\nFR76 3000 6000 0112 3456 7890 188\nSIRET 73282932000074",
    ibans: ["FR7630006000011234567890188"],
  },
  { text: "Virement CH93 0076 2011 6238 5295 7, CHF 120.00", ibans: ["CH9300762011623852957"] },
  { text: "QR-Rechnung: CH44 3199 9123 0008 8901 2", ibans: ["CH4431999123000889012"] },
  { text: "Visa 4111 1111 1111 1111, bestellt am 12.11.2026", ibans: [] },
  { text: "Gläubiger-ID DE98ZZZ09999999999, Mandat M-17, RF18 5390 0754 7034", ibans: [] },
  {
    text: "Alt:\tDE89 3704 0044 0532 0130 00\tNeu:\tDE89 3704 0044 0532 0130 01",
    ibans: [commerzbank, "DE89370400440532013001"],
  },
  {
    text: "Old: sort code 60-16-13, account 31926819. New: sort code 20-00-00, account 55779910.",
    ibans: [],
    accounts: ["GB:601613/31926819", "GB:200000/55779910"],
  },
  { text: "Sort code: 601613, a/c 31926819", ibans: [], accounts: ["GB:601613/31926819"] },
  { text: "Mastercard 5500 0000 0000 0004, sonst IBAN DE02 1203 0000 0000 2020 51", ibans: [berlin] },
  { text: "Amex 3782 822463 10005, gültig bis 11/27", ibans: [] },
  {
    text: "QR-IBAN CH44 3199 9123 0008 8901 2, sonst die IBAN CH93 0076 2011 6238 5295 8",
    ibans: ["CH4431999123000889012", "CH9300762011623852958"],
  },
  { text: "lBAN : FR14 2OO4 1010 0505 0001 3M02 606", ibans: ["FR142OO41010050500013M02606"] },
  {
    text: "Nouveau RIB : FR76 3000 6000 0112 3456 7890 189 (ancien : FR76 3000 6000 0112 3456 7890 188)",
    ibans: ["FR7630006000011234567890189", "FR7630006000011234567890188"],
  },
  {
    text: "Name\tIBAN\tBIC\nKern\tDE02 1203 0000 0000 2020 51\tBYLADEM1001\nWeber\tDE75 5121 0800 1245 1261 98\tSOGEDEFFXXX",
    ibans: [berlin, mistyped],
    bics: ["BYLADEM1001", "SOGEDEFFXXX"],
  },
  { text: "<td>DE89&nbsp;3704&thinsp;0044&#8239;0532&#x2009;0130&nbsp;00</td>", ibans: [commerzbank] },
  {
    text: "Bitte nicht mehr DE89370400440532013000, sondern DE02 1203 0000 0000 2020 5I",
    ibans: [commerzbank, "DE0212030000000020205I"],
  },
  {
    text: "Tel. +49 30 12345678, Kto 0532013000 bei der Commerzbank, BLZ 37040044",
    ibans: [],
    accounts: ["DE:37040044/0532013000"],
  },
  // One account in the spellings of letters, forms and MT940.
  ...[
    "532013000 37040044",
    "37040044 532013000",
    "BLZ: 37040044, Konto: 532013000",
    "Kontonummer 532013000 BLZ 370 400 44",
    "532013000/37040044",
    "Kto.-Nr. 532 013 000, BLZ 370 400 44",
    "Kto-Nr.: 532013000 BLZ: 37040044",
    "532013000 (BLZ 37040044)",
    "Bankleitzahl (BLZ): 37040044\nKontonummer: 532013000",
    "Account no.: 532013000, sort code: 37040044",
    "KTO-NR 532013000 BLZ-NR 37040044",
    "BLZ = 370 400 44, Girokonto = 532013000",
    "Bank-Leitzahl 37040044, Bankkonto 532013000",
    "532013000 · 37040044",
    "370 400 44 532013000",
    ":25:37040044/532013000EUR",
    ":86:051?00UEBERWEISUNG?20RECHNUNG 4711?3037040044?31532013000?32MUSTERMANN",
    "Kontonummer (10-stellig): 532013000, Bankleitzahl (8 Stellen): 37040044",
    "Kontoinhaber: Erika Mustermann, Konto-Nr.: 532013000, BLZ: 37040044 (Commerzbank Köln)",
  ].map((text) => ({ text, ibans: [], accounts: ["DE:37040044/532013000"] })),
  {
    text: "Konto 532013000, Konto 202051 BLZ 12030000",
    ibans: [],
    accounts: ["DE:12030000/532013000", "DE:12030000/202051"],
  },
  {
    text: ":25:37040044/532013000\nKonto 202051, BLZ 12030000",
    ibans: [],
    accounts: ["DE:37040044/532013000", "DE:12030000/202051"],
  },
  // Invoices, statements and payment messages.
  ...(
    [
      [
        "Rechnung Nr. 4711 vom 22.11.2026\nBitte überweisen Sie 1.250,00 € auf unser Konto bei der Commerzbank Köln:\nIBAN DE89 3704 0044 0532 0130 00\nBIC COBADEFFXXX\nUSt-IdNr. DE123456789, HRB 12345, Steuernummer 123/456/78901, Tel. 0221 123456",
        "DE89370400440532013000",
        "COBADEFFXXX",
      ],
      [
        "Invoice no. 2026-114\nPlease transfer EUR 1,250.00 within 14 days.\nAccount holder: Example Ltd\nIBAN: GB29 NWBK 6016\n1331 9268 19\nBIC/SWIFT: NWBKGB2L\nVAT GB123456789, phone +44 20 7946 0000",
        "GB29NWBK60161331926819",
        "NWBKGB2L",
      ],
      ["BIC BYLADEM1001 IBAN DE02 1203 0000 0000 2020 51", "DE02120300000000202051", "BYLADEM1001"],
      ["BYLADEM1001 DE02120300000000202051", "DE02120300000000202051", "BYLADEM1001"],
      ["ERIKA MUSTERMANN DE02 1203 0000 0000 2020 51", "DE02120300000000202051"],
      ["IBAN: DE02 1203 0000 0000 2020 51BIC: BYLADEM1001", "DE02120300000000202051", "BYLADEM1001"],
      ["iban de02120300000000202051 bic byladem1001", "DE02120300000000202051", "BYLADEM1001"],
      ["DE02 1203 0000 0000 2020 51, BIC unbekannt", "DE02120300000000202051"],
      [
        ":86:166?00GUTSCHRIFT?20SVWZ+RE 4711?30COBADEFFXXX?31DE89370400440532013000?32ERIKA",
        "DE89370400440532013000",
        "COBADEFFXXX",
      ],
      [
        "<BIC>COBADEFFXXX</BIC></FinInstnId></CdtrAgt><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN>",
        "DE89370400440532013000",
        "COBADEFFXXX",
      ],
      [":25:DE89370400440532013000EUR", "DE89370400440532013000"],
      ["Zahlung an NL91-ABNA-0417-1643-00 (SWIFT-BIC: ABNANL2A)", "NL91ABNA0417164300", "ABNANL2A"],
      ["DE03 1203 0000 0000 2020 51 BIC BYLADEM1001", "DE03120300000000202051", "BYLADEM1001"],
      ["IBAN DE03 1203 0000 0000 2020 51\nBYLADEM1001", "DE03120300000000202051", "BYLADEM1001"],
    ] as const
  ).map(([text, iban, bic]) => ({ text, ibans: [iban], bics: bic === undefined ? [] : [bic] })),
];
