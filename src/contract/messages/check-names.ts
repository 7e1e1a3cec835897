import type { MessageTable } from "./message-table.ts";

/** The checks that may be made, by the names that `data.checks` has, as people read them; further ones may come. */
export const checkNames = {
  spelling: { en: "Spelling", de: "Schreibweise" },
  country: { en: "Country", de: "Land" },
  length: { en: "Length", de: "Länge" },
  structure: { en: "Structure", de: "Aufbau" },
  iso_check_digits: { en: "Check digits of the IBAN", de: "Prüfziffern der IBAN" },
  form: { en: "Form", de: "Form" },
  bank_code: { en: "Bank code", de: "Bankcode" },
  bank_code_deletion: { en: "Bank code still in use", de: "Bankleitzahl noch gültig" },
  check_digit_method: { en: "Check digit of the account number", de: "Prüfziffer der Kontonummer" },
  national_check_digits: { en: "National check digits", de: "Nationale Prüfziffern" },
  uk_modulus: { en: "UK modulus check", de: "Britische Modulusprüfung" },
  currency: { en: "Currency", de: "Währung" },
  qr_iban: { en: "QR-IBAN", de: "QR-IBAN" },
  iban_rule: { en: "IBAN rule", de: "IBAN-Regel" },
  bic: { en: "BIC", de: "BIC" },
  sepa_methods: { en: "SEPA schemes", de: "SEPA-Verfahren" },
} as const satisfies MessageTable;

/** What a terminal shows beside the facts of an answer. */
export const answerLabels = {
  account: { en: "account", de: "Kontonummer" },
  bank: { en: "bank", de: "Bank" },
  place: { en: "place", de: "Ort" },
  more: { en: "more; --max shows up to 50.", de: "weitere; --max zeigt bis zu 50." },
  country: { en: "country", de: "Land" },
  none: { en: "none", de: "keine" },
  expected: { en: "expected", de: "erwartet:" },
  meant: { en: "Did you mean:", de: "Vielleicht gemeint:" },
} as const satisfies MessageTable;
