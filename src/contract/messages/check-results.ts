import type { MessageTable } from "./message-table.ts";

/** Results of checks, and additions to them. */
export const checkResultMessages = {
  /* Results of an IBAN check. */
  iban_valid: { en: "The IBAN is valid.", de: "Die IBAN ist gültig." },
  iban_country_unknown: {
    en: "The IBAN is not valid: its country is not in the IBAN registry.",
    de: "Die IBAN ist ungültig: Das Land steht nicht im IBAN-Register.",
  },
  iban_prefix: {
    en: "The IBAN is not valid: it begins with the word IBAN; send the number without it, or add lenient=1.",
    de: "Die IBAN ist ungültig: Vor der Nummer steht das Wort IBAN; bitte ohne dieses Wort oder mit lenient=1 senden.",
  },
  iban_territory: {
    en: "The IBAN is not valid: this territory uses the country code and check digits of its parent country.",
    de: "Die IBAN ist ungültig: Dieses Gebiet verwendet Ländercode und Prüfziffern seines Mutterlandes.",
  },
  iban_country_not_registered: {
    en: "The IBAN is not valid: its country uses IBAN-like numbers that are not registered.",
    de: "Die IBAN ist ungültig: Das Land verwendet IBAN-ähnliche Nummern, die nicht registriert sind.",
  },
  iban_length: {
    en: "The IBAN is not valid: its length is wrong for its country.",
    de: "Die IBAN ist ungültig: Die Länge passt nicht zum Land.",
  },
  iban_structure: {
    en: "The IBAN is not valid: a character does not fit its country's structure.",
    de: "Die IBAN ist ungültig: Ein Zeichen passt nicht zum Aufbau, den das Land vorschreibt.",
  },
  iban_check_digits_not_numeric: {
    en: "The IBAN is not valid: its check digits must be digits.",
    de: "Die IBAN ist ungültig: An der Stelle der Prüfziffern müssen Ziffern stehen.",
  },
  iban_check_digits_out_of_range: {
    en: "The IBAN is not valid: its check digits must be between 02 and 98.",
    de: "Die IBAN ist ungültig: Die Prüfziffern müssen zwischen 02 und 98 liegen.",
  },
  iban_check_digits: {
    en: "The IBAN is not valid: its check digits are wrong.",
    de: "Die IBAN ist ungültig: Die Prüfziffern sind falsch.",
  },
  iban_bank_code_unknown: {
    en: "The IBAN is not valid: its bank code does not exist.",
    de: "Die IBAN ist ungültig: Die Bankleitzahl existiert nicht.",
  },
  iban_national_check_digits: {
    en: "The IBAN is not valid: its national check digits are wrong.",
    de: "Die IBAN ist ungültig: Die nationalen Prüfziffern sind falsch.",
  },
  iban_account_check_digit: {
    en: "The IBAN is not valid: the check digit of its account number is wrong.",
    de: "Die IBAN ist ungültig: Die Prüfziffer der Kontonummer ist falsch.",
  },
  iban_bic_former: {
    en: "The BIC no longer matches the IBAN.",
    de: "Der BIC passt nicht mehr zur IBAN.",
  },
  iban_bic_mismatch: {
    en: "The BIC does not match the IBAN or is invalid.",
    de: "Der BIC passt nicht zur IBAN oder ist ungültig.",
  },
  not_an_iban: { en: "This is not an IBAN.", de: "Das ist keine IBAN." },

  spelling_prefix: { en: "The word IBAN was removed.", de: "Das Wort IBAN wurde entfernt." },
  spelling_separators: {
    en: "Separators between the characters were removed.",
    de: "Trennzeichen zwischen den Zeichen wurden entfernt.",
  },
  spelling_invisible: {
    en: "Invisible characters were removed.",
    de: "Unsichtbare Zeichen wurden entfernt.",
  },
  spelling_wide: {
    en: "Full-width characters were replaced.",
    de: "Vollbreite Zeichen wurden ersetzt.",
  },
  spelling_text: {
    en: "The IBAN was found in a longer text.",
    de: "Die IBAN wurde in einem längeren Text gefunden.",
  },

  /* Results of an account check. */
  account_valid: {
    en: "The account number and bank code are valid.",
    de: "Kontonummer und Bankleitzahl sind gültig.",
  },
  account_check_digit: {
    en: "The check digit of the account number is wrong.",
    de: "Die Prüfziffer der Kontonummer ist falsch.",
  },
  blz_malformed: { en: "The bank code must have 8 digits.", de: "Die Bankleitzahl muss 8 Ziffern haben." },
  kontonummer_malformed: {
    en: "The account number must have at most 10 digits.",
    de: "Die Kontonummer darf höchstens 10 Ziffern haben.",
  },
  blz_and_kontonummer_malformed: {
    en: "The bank code must have 8 digits and the account number at most 10.",
    de: "Die Bankleitzahl muss 8 Ziffern haben, die Kontonummer höchstens 10.",
  },
  blz_unknown: { en: "The bank code does not exist.", de: "Die Bankleitzahl existiert nicht." },
  method_unknown: {
    en: "The account number cannot be checked: the bank's check-digit method is not known.",
    de: "Die Kontonummer lässt sich nicht prüfen: Das Prüfziffernverfahren der Bank ist nicht bekannt.",
  },
  account_without_check_digit: {
    en: "The account number cannot be checked: it has no check digit at this bank.",
    de: "Die Kontonummer lässt sich nicht prüfen: Sie enthält bei dieser Bank keine Prüfziffer.",
  },
  rule_forbids_iban: {
    en: "No IBAN can be generated: the bank's IBAN rule forbids it.",
    de: "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank schließt das aus.",
  },
  rule_rejects_account: {
    en: "No IBAN can be generated: the bank's IBAN rule does not accept this account number.",
    de: "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank lässt diese Kontonummer nicht zu.",
  },
  rule_blz_deleted: {
    en: "No IBAN can be generated: the bank code has been deleted and has no successor.",
    de: "Es lässt sich keine IBAN bilden: Die Bankleitzahl ist gelöscht, und es gibt keine Nachfolge-Bankleitzahl.",
  },
  rule_unknown: {
    en: "No IBAN can be generated: the bank's IBAN rule is not known.",
    de: "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank ist nicht bekannt.",
  },
  rule_target_unknown: {
    en: "No IBAN can be generated: the IBAN rule leads to a bank code that does not exist.",
    de: "Es lässt sich keine IBAN bilden: Die IBAN-Regel führt auf eine Bankleitzahl, die nicht existiert.",
  },

  /* Additions to a result. */
  rule_replaces_blz: {
    en: "The bank's IBAN rule replaces the bank code in the IBAN.",
    de: "Die IBAN-Regel der Bank ersetzt in der IBAN die Bankleitzahl.",
  },
  rule_replaces_account: {
    en: "The bank's IBAN rule replaces the account number in the IBAN.",
    de: "Die IBAN-Regel der Bank ersetzt in der IBAN die Kontonummer.",
  },
  rule_replaces_blz_and_account: {
    en: "The bank's IBAN rule replaces the bank code and the account number in the IBAN.",
    de: "Die IBAN-Regel der Bank ersetzt in der IBAN Bankleitzahl und Kontonummer.",
  },
  deletion_marked: {
    en: "The bank code is marked for deletion and has no successor.",
    de: "Die Bankleitzahl ist zur Löschung vorgemerkt; eine Nachfolge-Bankleitzahl ist nicht angegeben.",
  },
  bank_code_replaced: {
    en: "The bank code is being replaced; its successor is {successor}.",
    de: "Die Bankleitzahl wird ersetzt; Nachfolger: {successor}.",
  },
} as const satisfies MessageTable;
