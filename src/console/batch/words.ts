import type { Language } from "../words.ts";

const english = {
  paste: "Paste IBANs, one a line, or columns of a spreadsheet (IBAN, BIC, account number, bank code)",
  choose: "Choose a CSV or XLSX file",
  drop: "You can drop a file here too. It stays in this browser; only the numbers are sent, each counted as one check.",
  pasted: "Pasted rows",
  take: "Take these rows",
  other: "New list",
  column: "Column to check",
  together: "{one} with {other}",
  whichColumn: "Choose the column that contains the IBANs.",
  stop: "Stop",
  goOn: "Resume",
  save: "Download as CSV",
  saveXlsx: "Download as XLSX",
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
  checked: "Number",
  verdict: "Verdict",
  bank: "Bank",
  bic: "BIC",
  place: "Town",
  searchRows: "Search rows",
  reason: "Reason",
  anyReason: "Any reason",
  details: "Details of row {row}",
  countsOne: "Counted as one more check.",
  close: "Close",
  leave: "The results of {count} checked rows have not been downloaded. Discard them?",
  done: "All {count} rows are checked: {valid} valid, {invalid} not valid.",
  noRows: "No rows match.",
  reading: "Reading …",
  busy: "The service is busy. Checking resumes in a moment.",
  away: "The service cannot be reached. Checking resumes once it is back.",
  key: "The service did not accept the key. Resume with another one.",
  libraryMissing: "The service cannot be reached. Try again.",
  empty: "It contains no rows.",
  noText: "This is neither an XLSX workbook nor a CSV file in UTF-8 or Latin-1.",
  quotes: "Its quotes do not match, so the rows cannot be told apart.",
  tooMany: "There are more than 400,000 rows, or 128 MB. The command line checks files of any size.",
};

/** The fixed texts of the Batch view; elements name theirs in `data-text`. */
export const batchTexts: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: {
    paste: "IBANs einfügen, eine je Zeile, oder Spalten einer Tabelle (IBAN, BIC, Kontonummer, Bankleitzahl)",
    choose: "CSV- oder XLSX-Datei wählen",
    drop: "Eine Datei kann auch hier abgelegt werden. Sie bleibt in diesem Browser; nur die Nummern werden gesendet, jede zählt als eine Prüfung.",
    pasted: "Eingefügte Zeilen",
    take: "Diese Zeilen nehmen",
    other: "Neue Liste",
    column: "Zu prüfende Spalte",
    together: "{one} mit {other}",
    whichColumn: "Bitte die Spalte wählen, in der die IBANs stehen.",
    stop: "Anhalten",
    goOn: "Fortsetzen",
    save: "Als CSV herunterladen",
    saveXlsx: "Als XLSX herunterladen",
    saving: "Die Datei wird geschrieben …",
    valid: "Gültig",
    invalid: "Ungültig",
    unknownBank: "Bank unbekannt",
    unchecked: "Ungeprüft",
    all: "Alle",
    filter: "Angezeigte Zeilen",
    progress: "Fortschritt",
    results: "Ergebnisse",
    number: "Zeile",
    checked: "Nummer",
    verdict: "Ergebnis",
    bank: "Bank",
    bic: "BIC",
    place: "Ort",
    searchRows: "Zeilen durchsuchen",
    reason: "Grund",
    anyReason: "Alle Gründe",
    details: "Zeile {row} im Einzelnen",
    countsOne: "Zählt als eine weitere Prüfung.",
    close: "Schließen",
    leave: "Die Ergebnisse von {count} geprüften Zeilen wurden nicht heruntergeladen. Verwerfen?",
    done: "Alle {count} Zeilen sind geprüft: {valid} gültig, {invalid} ungültig.",
    noRows: "Keine Zeile passt.",
    reading: "Wird gelesen …",
    busy: "Der Dienst ist ausgelastet. Es geht gleich weiter.",
    away: "Der Dienst ist nicht erreichbar. Sobald er zurück ist, geht es weiter.",
    key: "Der Dienst hat den Schlüssel nicht angenommen. Mit einem anderen geht es weiter.",
    libraryMissing: "Der Dienst ist nicht erreichbar. Bitte erneut versuchen.",
    empty: "Es sind keine Zeilen darin.",
    noText: "Das ist weder eine XLSX-Datei noch eine CSV-Datei in UTF-8 oder Latin-1.",
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
    start: (count) => (count === "1" ? "Check 1 row" : `Check ${count} rows`),
    column: (number) => `Column ${number}`,
    progress: (checked, rows) => `${checked} of ${rows} checked`,
    speed: (perSecond) => `${perSecond} a second`,
  },
  de: {
    rows: (count) => (count === "1" ? "1 Zeile" : `${count} Zeilen`),
    start: (count) => (count === "1" ? "1 Zeile prüfen" : `${count} Zeilen prüfen`),
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

/** What an entry that is not an IBAN by its form is called. */
export const noIban: Readonly<Record<Language, string>> = { en: "Not an IBAN", de: "Keine IBAN" };

/** The reasons of the service in a few words. */
export const reasonWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    not_an_iban: "Not an IBAN",
    not_an_account: "Not an account number",
    not_a_bic: "Not a BIC",
    country_unknown: "Country unknown",
    territory: "Territory code",
    length: "Length wrong",
    structure: "Structure wrong",
    iso_check_digits: "Check digits wrong",
    national_check_digits: "National check digits wrong",
    account_check_digit: "Check digit of the account wrong",
    bank_code_unknown: "Bank code unknown",
    bic_mismatch: "BIC does not match",
  },
  de: {
    not_an_iban: "Keine IBAN",
    not_an_account: "Keine Kontonummer",
    not_a_bic: "Kein BIC",
    country_unknown: "Land unbekannt",
    territory: "Gebietskürzel",
    length: "Länge falsch",
    structure: "Aufbau falsch",
    iso_check_digits: "Prüfziffern falsch",
    national_check_digits: "Nationale Prüfziffern falsch",
    account_check_digit: "Prüfziffer des Kontos falsch",
    bank_code_unknown: "Bankleitzahl unbekannt",
    bic_mismatch: "BIC passt nicht",
  },
};
