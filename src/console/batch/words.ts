import type { Language } from "../words.ts";

const english = {
  paste: "Paste IBANs, one a line or as columns of a spreadsheet",
  choose: "Choose a CSV file",
  drop: "A file can be dropped here too. It stays in this browser; only the IBANs are sent, 500 at a time, each counted as one check.",
  pasted: "Pasted rows",
  take: "Take these rows",
  other: "Other rows",
  column: "Column with the IBANs",
  whichColumn: "Choose the column that holds the IBANs.",
  stop: "Stop",
  goOn: "Go on",
  save: "Download the rows shown",
  saving: "Writing the file …",
  valid: "Valid",
  invalid: "Not valid",
  unknownBank: "Bank unknown",
  unchecked: "Not checked",
  all: "All",
  filter: "Rows shown",
  progress: "Progress",
  results: "Results",
  number: "Row",
  iban: "IBAN",
  verdict: "Verdict",
  bank: "Bank",
  bic: "BIC",
  place: "Town",
  noRows: "No rows here.",
  reading: "Reading …",
  busy: "The service is busy. Checking goes on when it asks for it.",
  away: "The service cannot be reached. Checking goes on once it is back.",
  key: "The service did not take the key. Go on with another one.",
  libraryMissing: "The service cannot be reached. Try again.",
  empty: "There are no rows in it.",
  noText: "This is no CSV file in UTF-8 or Latin-1. Save the spreadsheet as CSV first.",
  quotes: "The quotes in it do not match, so that its rows cannot be told apart.",
  tooMany: "There are more than 400,000 rows, or 128 MB. The command line checks files of any size.",
};

/** The fixed texts of the Batch view; elements name theirs in `data-text`. */
export const batchTexts: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: {
    paste: "IBANs einfügen, eine je Zeile oder als Spalten einer Tabelle",
    choose: "CSV-Datei wählen",
    drop: "Eine Datei kann auch hier abgelegt werden. Sie bleibt in diesem Browser; nur die IBANs werden gesendet, je 500 auf einmal, jede zählt als eine Prüfung.",
    pasted: "Eingefügte Zeilen",
    take: "Diese Zeilen nehmen",
    other: "Andere Zeilen",
    column: "Spalte mit den IBANs",
    whichColumn: "Bitte die Spalte wählen, in der die IBANs stehen.",
    stop: "Anhalten",
    goOn: "Weiter",
    save: "Gezeigte Zeilen laden",
    saving: "Die Datei wird geschrieben …",
    valid: "Gültig",
    invalid: "Nicht gültig",
    unknownBank: "Bank unbekannt",
    unchecked: "Ungeprüft",
    all: "Alle",
    filter: "Gezeigte Zeilen",
    progress: "Fortschritt",
    results: "Ergebnisse",
    number: "Zeile",
    iban: "IBAN",
    verdict: "Ergebnis",
    bank: "Bank",
    bic: "BIC",
    place: "Ort",
    noRows: "Hier gibt es keine Zeilen.",
    reading: "Wird gelesen …",
    busy: "Der Dienst ist ausgelastet. Es geht weiter, sobald er darum bittet.",
    away: "Der Dienst ist nicht erreichbar. Sobald er zurück ist, geht es weiter.",
    key: "Der Dienst hat den Schlüssel nicht angenommen. Mit einem anderen geht es weiter.",
    libraryMissing: "Der Dienst ist nicht erreichbar. Bitte erneut versuchen.",
    empty: "Es sind keine Zeilen darin.",
    noText: "Das ist keine CSV-Datei in UTF-8 oder Latin-1. Die Tabelle bitte erst als CSV speichern.",
    quotes: "Die Anführungszeichen darin passen nicht zusammen; die Zeilen lassen sich nicht trennen.",
    tooMany: "Es sind mehr als 400.000 Zeilen oder 128 MB. Die Kommandozeile prüft Dateien jeder Größe.",
  },
};

/** The texts of the Batch view that contain numbers. */
export const batchSentences: Readonly<
  Record<
    Language,
    {
      readonly rows: (count: string) => string;
      readonly start: (count: string) => string;
      readonly column: (number: number) => string;
      readonly progress: (checked: string, rows: string) => string;
      readonly speed: (perSecond: string) => string;
    }
  >
> = {
  en: {
    rows: (count) => (count === "1" ? "1 row" : `${count} rows`),
    start: (count) => (count === "1" ? "Check 1 IBAN" : `Check ${count} IBANs`),
    column: (number) => `Column ${number}`,
    progress: (checked, rows) => `${checked} of ${rows} checked`,
    speed: (perSecond) => `${perSecond} a second`,
  },
  de: {
    rows: (count) => (count === "1" ? "1 Zeile" : `${count} Zeilen`),
    start: (count) => (count === "1" ? "1 IBAN prüfen" : `${count} IBANs prüfen`),
    column: (number) => `Spalte ${number}`,
    progress: (checked, rows) => `${checked} von ${rows} geprüft`,
    speed: (perSecond) => `${perSecond} je Sekunde`,
  },
};

/** What the statuses of IBANs mean, in a few words. */
export const statusWords: Readonly<Record<Language, Readonly<Record<number, string>>>> = {
  en: {
    0: "Check digits wrong",
    1: "Valid",
    3: "Country or form wrong",
    4: "Length wrong",
    7: "Bank code unknown",
  },
  de: {
    0: "Prüfziffern falsch",
    1: "Gültig",
    3: "Land oder Aufbau falsch",
    4: "Länge falsch",
    7: "Bankleitzahl unbekannt",
  },
};

/** What an entry that is no IBAN by its form is called. */
export const noIban: Readonly<Record<Language, string>> = { en: "No IBAN", de: "Keine IBAN" };
