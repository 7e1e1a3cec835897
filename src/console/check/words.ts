import type { CheckResult } from "../../contract/check-entry.ts";
import type { Language } from "../words.ts";

const english = {
  input: "IBAN or account number",
  blz: "Bank code (BLZ)",
  empty: "The verdict appears here while you type.",
  incomplete: "Go on typing: an IBAN has at least 15 characters.",
  needsBlz: "An account number is checked together with its eight-digit bank code.",
  valid: "Valid",
  invalid: "Not valid",
  undecided: "Cannot be told",
  unreachable: "The service cannot be reached. Checking goes on once it is back.",
  right: "Right would be",
  meant: "Perhaps meant",
  sepa: "SEPA",
  none: "–",
};

/** The fixed texts of the Check view; elements name theirs in `data-text`. */
export const checkTexts: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: {
    input: "IBAN oder Kontonummer",
    blz: "Bankleitzahl",
    empty: "Das Ergebnis erscheint hier beim Tippen.",
    incomplete: "Weiter tippen: Eine IBAN hat mindestens 15 Zeichen.",
    needsBlz: "Eine Kontonummer wird zusammen mit ihrer achtstelligen Bankleitzahl geprüft.",
    valid: "Gültig",
    invalid: "Nicht gültig",
    undecided: "Nicht feststellbar",
    unreachable: "Der Dienst ist nicht erreichbar. Sobald er zurück ist, geht es weiter.",
    right: "Richtig wäre",
    meant: "Vielleicht gemeint",
    sepa: "SEPA",
    none: "–",
  },
};

/** What the results of a check are called. */
export const results: Readonly<Record<Language, Readonly<Record<CheckResult, string>>>> = {
  en: { passed: "right", failed: "wrong", unknown: "cannot be told", not_applicable: "does not apply" },
  de: { passed: "richtig", failed: "falsch", unknown: "nicht feststellbar", not_applicable: "entfällt" },
};

/** What the checks are called; one that is missing is shown by its own name. */
export const checkNames: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    country: "Country",
    length: "Length",
    structure: "Structure",
    form: "Form",
    iso_check_digits: "Check digits of the IBAN",
    bank_code: "Bank code",
    bank_code_deletion: "Deletion of the bank code",
    check_digit_method: "Check digit of the account number",
    national_check_digits: "National check digits",
    iban_rule: "IBAN rule",
    bic: "BIC",
    sepa_methods: "SEPA schemes",
  },
  de: {
    country: "Land",
    length: "Länge",
    structure: "Aufbau",
    form: "Form",
    iso_check_digits: "Prüfziffern der IBAN",
    bank_code: "Bankleitzahl",
    bank_code_deletion: "Löschung der Bankleitzahl",
    check_digit_method: "Prüfziffer der Kontonummer",
    national_check_digits: "Nationale Prüfziffern",
    iban_rule: "IBAN-Regel",
    bic: "BIC",
    sepa_methods: "SEPA-Verfahren",
  },
};
