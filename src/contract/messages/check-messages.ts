import { checkResultMessages } from "./check-results.ts";
import type { MessageTable } from "./message-table.ts";

/**
 * The sentences on checks: their results, and the details of single ones, `detail` of an entry of `data.checks`.
 *
 * The console has these with it, so that it changes its language without asking again; all others are joined in `messages.ts`,
 * which its bundle leaves out.
 */
export const checkMessages = {
  ...checkResultMessages,
  country_found: { en: "{name} ({country}).", de: "{country:region} ({country})." },
  country_territory: {
    en: "This territory uses the country code {parent}; its check digits would be {digits}.",
    de: "Dieses Gebiet verwendet den Ländercode {parent}; die Prüfziffern wären {digits}.",
  },
  length_right: { en: "{length} of {expected} characters.", de: "{length} von {expected} Zeichen." },
  length_wrong: {
    en: "The IBAN has {length} characters; its country ({name}) requires {expected}.",
    de: "Die IBAN hat {length} Zeichen; mit dem Ländercode {country} braucht sie {expected}.",
  },
  structure_wrong: {
    en: "Character {position} does not fit the structure that its country ({name}) requires.",
    de: "Das {position}. Zeichen passt nicht zum Aufbau einer IBAN mit dem Ländercode {country}.",
  },
  bank_code_listed: {
    en: "{code} is in the directory (edition {edition}).",
    de: "{code} steht im Verzeichnis (Ausgabe {edition}).",
  },
  bank_code_former: {
    en: "{code} is in the directory (edition {edition}) as the code of a bank that has closed or merged.",
    de: "{code} steht im Verzeichnis (Ausgabe {edition}) als Code einer geschlossenen oder fusionierten Bank.",
  },
  bank_code_unlisted: {
    en: "{code} is not in the directory (edition {edition}).",
    de: "{code} steht nicht im Verzeichnis (Ausgabe {edition}).",
  },
  bank_code_unlisted_incomplete: {
    en: "{code} is not in the directory (edition {edition}); banks may have been added since.",
    de: "{code} steht nicht im Verzeichnis (Ausgabe {edition}); seitdem können Banken hinzugekommen sein.",
  },
  bank_code_assumed: {
    en: "Assumed, as the check digits are wrong: {code} is {bank}.",
    de: "Angenommen, da die Prüfziffern falsch sind: {code} ist {bank}.",
  },
  bank_code_assumed_unlisted: {
    en: "Assumed, as the check digits are wrong: {code} is not in the directory.",
    de: "Angenommen, da die Prüfziffern falsch sind: {code} steht nicht im Verzeichnis.",
  },
  bank_listed: { en: "{bank} (edition {edition}).", de: "{bank} (Ausgabe {edition})." },
  deletion_unknown: {
    en: "The data does not say whether the bank code is marked for deletion.",
    de: "Die Daten sagen nicht, ob die Bankleitzahl zur Löschung vorgemerkt ist.",
  },
  deletion_successor: {
    en: "The successor of the bank code is {successor}.",
    de: "Die Nachfolge-Bankleitzahl ist {successor}.",
  },
  method_of_bank_unknown: {
    en: "The bank's check-digit method is not known.",
    de: "Das Prüfziffernverfahren der Bank ist nicht bekannt.",
  },
  method_passed: { en: "Method {method}, variant {variant}.", de: "Verfahren {method}, Variante {variant}." },
  method_without_check_digit: {
    en: "Method {method}: the account number has no check digit.",
    de: "Verfahren {method}: Die Kontonummer enthält keine Prüfziffer.",
  },
  method_not_supported: { en: "Method {method} is not known.", de: "Verfahren {method} ist nicht bekannt." },
  method_failed: { en: "Method {method}.", de: "Verfahren {method}." },
  method_observed: {
    en: "Method {method}; a failure is reported but does not make the number invalid.",
    de: "Verfahren {method}; ein Fehler wird nur gemeldet und macht die Nummer nicht ungültig.",
  },
  method_waived: {
    en: "The bank's IBAN rule allows this account number without a check digit.",
    de: "Die IBAN-Regel der Bank lässt diese Kontonummer ohne Prüfziffer zu.",
  },
  national_none: {
    en: "The country has no nationwide check digits.",
    de: "Das Land hat keine landesweit einheitlichen Prüfziffern.",
  },
  national_enforced: { en: "Algorithm {algorithm}.", de: "Algorithmus {algorithm}." },
  national_observed: {
    en: "Algorithm {algorithm}; in this country a wrong result is reported but does not make the IBAN invalid.",
    de: "Algorithmus {algorithm}; in diesem Land wird ein Fehler nur gemeldet und macht die IBAN nicht ungültig.",
  },
  currency_known: { en: "{code} is a currency.", de: "{code} ist eine Währung." },
  currency_unknown: {
    en: "{code} is not a currency code; reported, but does not make the IBAN invalid.",
    de: "{code} ist kein Währungscode; das wird nur gemeldet und macht die IBAN nicht ungültig.",
  },
  qr_iban_found: {
    en: "{code} is a QR-IID: this QR-IBAN accepts only payments with a QR reference.",
    de: "{code} ist eine QR-IID: Diese QR-IBAN nimmt nur Zahlungen mit QR-Referenz an.",
  },
  qr_iban_none: { en: "Not a QR-IBAN.", de: "Keine QR-IBAN." },
  uk_modulus_off: {
    en: "The weights of the UK modulus check are not loaded.",
    de: "Die Gewichte der britischen Modulusprüfung sind nicht geladen.",
  },
  uk_modulus_no_rule: {
    en: "The UK modulus check (weights of {edition}) has no rule for sort code {code}; presumed valid, not checked.",
    de: "Die britische Modulusprüfung (Gewichte vom {edition}) hat keine Regel für den Sort Code {code}; als gültig angenommen, nicht geprüft.",
  },
  uk_modulus_passed: {
    en: "UK modulus check, weights of {edition}.",
    de: "Britische Modulusprüfung, Gewichte vom {edition}.",
  },
  uk_modulus_exempt: {
    en: "UK modulus check, weights of {edition}: accounts in a foreign currency are exempt.",
    de: "Britische Modulusprüfung, Gewichte vom {edition}: Konten in fremder Währung sind ausgenommen.",
  },
  uk_modulus_failed: {
    en: "UK modulus check, weights of {edition}.",
    de: "Britische Modulusprüfung, Gewichte vom {edition}.",
  },
  uk_modulus_observed: {
    en: "UK modulus check, weights of {edition}; a failure is reported but does not make the IBAN invalid.",
    de: "Britische Modulusprüfung, Gewichte vom {edition}; ein Fehler wird nur gemeldet und macht die IBAN nicht ungültig.",
  },
  bic_not_given: { en: "No BIC was given.", de: "Es wurde kein BIC angegeben." },
  bic_exact: { en: "The BIC is the bank's own.", de: "Das ist der BIC der Bank." },
  bic_head_office: {
    en: "Padded with XXX, the BIC is the bank's own.",
    de: "Um XXX ergänzt, ist das der BIC der Bank.",
  },
  bic_same_institution: {
    en: "The first eight characters of the BIC are the bank's. They name its institution; savings and cooperative banks share them with others.",
    de: "Die ersten acht Zeichen des BIC sind die der Bank. Sie nennen ihr Institut; Sparkassen und Genossenschaftsbanken teilen sie mit anderen.",
  },
  bic_in_territory: {
    en: "The BIC is that of the same bank in a territory that uses the country's IBANs.",
    de: "Der BIC gehört derselben Bank in einem Gebiet, das die IBANs des Landes verwendet.",
  },
  bic_known_for_bank_code: {
    en: "The BIC is one of several known for the bank code.",
    de: "Das ist ein weiterer zu dieser Bankleitzahl bekannter BIC.",
  },
  bic_country_only: {
    en: "No BIC is known for the bank; the countries match.",
    de: "Zu der Bank ist kein BIC bekannt; die Länder stimmen überein.",
  },
  bic_former: {
    en: "This is a former BIC of the bank; its current BIC is {bic}.",
    de: "Das ist ein früherer BIC der Bank; der aktuelle ist {bic}.",
  },
  bic_former_until: {
    en: "The BIC was valid until {until}; the current one is {bic}.",
    de: "Der BIC galt bis {until}; der aktuelle ist {bic}.",
  },
  bic_former_only: {
    en: "This is a former BIC of the bank; its current BIC is not known.",
    de: "Das ist ein früherer BIC der Bank; der aktuelle ist nicht bekannt.",
  },
  bic_other_bank: { en: "The bank does not have this BIC.", de: "Die Bank hat diesen BIC nicht." },
  bic_other_country: {
    en: "The BIC belongs to another country.",
    de: "Der BIC gehört zu einem anderen Land.",
  },
  rule_not_requested: {
    en: "No IBAN was requested (sepa=1).",
    de: "Eine IBAN wurde nicht angefordert (sepa=1).",
  },
  rule_published: { en: "Rule {rule} (published).", de: "Regel {rule} (veröffentlicht)." },
  rule_inferred: {
    en: "Rule {rule} (inferred from comparable banks).",
    de: "Regel {rule} (aus vergleichbaren Banken abgeleitet).",
  },
  sepa_without_directory: {
    en: "Assumed: no directory of participants is loaded.",
    de: "Angenommen: Es ist kein Teilnehmerverzeichnis geladen.",
  },
  sepa_majority: {
    en: "Most banks of the country had these schemes on {edition}.",
    de: "Die meisten Banken des Landes hatten diese Verfahren am {edition}.",
  },
  sepa_from_directory: {
    en: "Read from the directory of reachable payment service providers (edition {edition}).",
    de: "Aus dem Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {edition}).",
  },
  sepa_local: { en: "From a local entry.", de: "Aus einem eigenen Eintrag." },
  sepa_inherited: {
    en: "Inherited from the head office's entry in the directory of reachable payment service providers (edition {edition}).",
    de: "Vom Eintrag der Hauptstelle im Verzeichnis der erreichbaren Zahlungsdienstleister übernommen (Ausgabe {edition}).",
  },
  sepa_unlisted: {
    en: "Assumed: no BIC of the bank is listed in the directory of reachable payment service providers (edition {edition}).",
    de: "Angenommen: Im Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {edition}) steht kein BIC der Bank.",
  },
} as const satisfies MessageTable;
