import type { MessageTable } from "./message-table.ts";

/** Answers other than checks. */
export const answerMessages = {
  batch_processed: { en: "The batch was processed.", de: "Die Liste wurde geprüft." },
  bank_found: { en: "Bank found.", de: "Bank gefunden." },
  banks_found: {
    en: "Banks found.",
    de: "Banken gefunden.",
  },
  no_bank_found: {
    en: "No bank found.",
    de: "Keine Bank gefunden.",
  },
  suggestions_found: {
    en: "Possible IBANs found.",
    de: "Mögliche IBANs gefunden.",
  },
  no_suggestion_found: {
    en: "No possible IBAN found.",
    de: "Keine mögliche IBAN gefunden.",
  },
  nothing_to_correct: {
    en: "The IBAN is valid; there is nothing to correct.",
    de: "Die IBAN ist gültig; es gibt nichts zu korrigieren.",
  },
  numbers_extracted: {
    en: "Found {numbers}.",
    de: "{numbers} gefunden.",
  },
  nothing_extracted: {
    en: "The text contains no IBAN, BIC or account.",
    de: "Der Text enthält keine IBAN, keinen BIC und kein Konto.",
  },
  bic_found: { en: "The BIC is known.", de: "Der BIC ist bekannt." },
  bic_unknown: { en: "The BIC is not known.", de: "Der BIC ist nicht bekannt." },
  iban_composed: { en: "The IBAN was composed.", de: "Die IBAN wurde gebildet." },
  iban_composed_unproven: {
    en: "The IBAN was composed, but its account number fails the national check, which this country does not enforce.",
    de: "Die IBAN wurde gebildet; ihre Kontonummer besteht aber die nationale Prüfung nicht, die in diesem Land nicht verbindlich ist.",
  },
  compose_check_digits: {
    en: "No IBAN: the national check digits of the bank code or account number are wrong.",
    de: "Keine IBAN: Die nationalen Prüfziffern von Bankleitzahl oder Kontonummer sind falsch.",
  },
  compose_part_missing: {
    en: "{field} is required for {country}.",
    de: "{field} ist für {country} erforderlich.",
  },
  compose_no_branch: {
    en: "IBANs of {country} have no branch code.",
    de: "In IBANs von {country} steht kein Code einer Filiale.",
  },
  compose_part: {
    en: "{field} must have at most {length} characters, all of them allowed in the country's IBANs.",
    de: "{field} darf höchstens {length} Zeichen haben, und nur solche, die in IBANs des Landes erlaubt sind.",
  },
  country_not_in_registry: {
    en: "The country must be the ISO code of a country whose IBANs have bank codes.",
    de: "Der Ländercode muss zu einem Land gehören, dessen IBANs Bankleitzahlen haben.",
  },
  samples_made: {
    en: "These are test numbers; none is known to belong to an account.",
    de: "Das sind Testnummern; von keiner ist bekannt, dass sie zu einem Konto gehört.",
  },
  samples_none: {
    en: "No test number is possible: no bank in the country's list accepts one.",
    de: "Keine Testnummer möglich: Keine Bank in der Liste des Landes lässt eine zu.",
  },
  pong: { en: "Pong", de: "Pong" },
  test_pong: { en: "Testmode - Ping", de: "Testmode - Ping" },
} as const satisfies MessageTable;

/** What a text may hold, one of it and several. */
export const foundNouns = {
  ibans: { en: ["IBAN", "IBANs"], de: ["IBAN", "IBANs"] },
  bics: { en: ["BIC", "BICs"], de: ["BIC", "BICs"] },
  accounts: { en: ["account", "accounts"], de: ["Konto", "Konten"] },
} as const;
