/** The languages of the service; the first one is the default. */
export const languages = ["en", "de"] as const;

/** A language of the service, as its ISO 639 code. */
export type Language = (typeof languages)[number];

/**
 * The sentences on checks by id: their results, the details of single checks, and what a status means.
 *
 * The console has these with it, so that it changes its language without asking again.
 */
export const checkMessages = {
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
    en: "The IBAN is not valid: a character does not fit the structure of its country.",
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
    en: "The BIC does not match the IBAN any more.",
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
    en: "The IBAN was found in other text.",
    de: "Die IBAN wurde in anderem Text gefunden.",
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

  /* Details of single checks. */
  country_found: { en: "{name} ({country}).", de: "{country:region} ({country})." },
  country_territory: {
    en: "This territory uses the country code {parent}; its check digits would be {digits}.",
    de: "Dieses Gebiet verwendet den Ländercode {parent}; die Prüfziffern wären {digits}.",
  },
  length_right: { en: "{length} of {expected} characters.", de: "{length} von {expected} Zeichen." },
  length_wrong: {
    en: "The IBAN has {length} characters; for {name} it must have {expected}.",
    de: "Die IBAN hat {length} Zeichen; mit dem Ländercode {country} muss sie {expected} haben.",
  },
  structure_wrong: {
    en: "Character {position} does not fit the structure of {name}.",
    de: "Das {position}. Zeichen passt nicht zum Aufbau einer IBAN mit dem Ländercode {country}.",
  },
  bank_code_undefined: {
    en: "The IBAN registry defines no bank identifier for this country.",
    de: "Das IBAN-Register legt für dieses Land keine Bankkennung fest.",
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
    en: "{code} is not in the directory, which is incomplete for this country.",
    de: "{code} steht nicht im Verzeichnis, das für dieses Land nicht vollständig ist.",
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
    en: "{code} is a QR-IID: this QR-IBAN takes payments with a QR reference only.",
    de: "{code} ist eine QR-IID: Diese QR-IBAN nimmt nur Zahlungen mit QR-Referenz an.",
  },
  qr_iban_none: { en: "Not a QR-IBAN.", de: "Keine QR-IBAN." },
  uk_modulus_off: {
    en: "No weights of the UK modulus check are loaded.",
    de: "Es sind keine Gewichte der britischen Modulusprüfung geladen.",
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
    en: "The BIC is the bank's own once padded with XXX.",
    de: "Das ist der BIC der Bank, ergänzt um XXX.",
  },
  bic_same_institution: {
    en: "The BIC belongs to the same institution: its first eight characters are equal.",
    de: "Der BIC gehört zu demselben Institut: Die ersten acht Zeichen stimmen überein.",
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
    en: "The BIC is a former one of this bank; today's is {bic}.",
    de: "Das ist ein früherer BIC dieser Bank; der heutige ist {bic}.",
  },
  bic_former_until: {
    en: "The BIC was valid until {until}; today's is {bic}.",
    de: "Der BIC galt bis {until}; der heutige ist {bic}.",
  },
  bic_former_only: {
    en: "The BIC is a former one of this bank, whose present BIC is not known.",
    de: "Das ist ein früherer BIC dieser Bank, deren heutiger BIC nicht bekannt ist.",
  },
  bic_other_bank: { en: "The BIC belongs to another bank.", de: "Der BIC gehört zu einer anderen Bank." },
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
  sepa_local: { en: "By a local entry.", de: "Nach einem eigenen Eintrag." },
  sepa_inherited: {
    en: "Inherited from the head office's entry in the directory of reachable payment service providers (edition {edition}).",
    de: "Vom Eintrag der Hauptstelle im Verzeichnis der erreichbaren Zahlungsdienstleister übernommen (Ausgabe {edition}).",
  },
  sepa_unlisted: {
    en: "Assumed: no BIC of the bank is listed in the directory of reachable payment service providers (edition {edition}).",
    de: "Angenommen: Im Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {edition}) steht kein BIC der Bank.",
  },

  /* Meanings of the status codes of an IBAN check. */
  iban_status_0: {
    en: "The ISO check digits, the national check digits or the German account number's check digit are wrong.",
    de: "Die ISO-Prüfziffern, die nationalen Prüfziffern oder die Prüfziffer der deutschen Kontonummer sind falsch.",
  },
  iban_status_1: { en: "The IBAN is valid.", de: "Die IBAN ist gültig." },
  iban_status_2: {
    en: "The IBAN is valid, but the BIC does not match it.",
    de: "Die IBAN ist gültig, aber der BIC passt nicht dazu.",
  },
  iban_status_3: {
    en: "The country is unknown, or a character does not fit the country's IBAN structure.",
    de: "Das Land ist unbekannt, oder ein Zeichen passt nicht zum Aufbau der IBAN des Landes.",
  },
  iban_status_4: {
    en: "The length is wrong for the country.",
    de: "Die Länge passt nicht zum Land.",
  },
  iban_status_7: {
    en: "The bank code is not in the directory (only in countries whose directory is complete: DE).",
    de: "Die Bankleitzahl steht nicht im Verzeichnis (nur wo das Verzeichnis des Landes vollständig ist: DE).",
  },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;

/** An id of the table of sentences on checks. */
export type CheckMessageId = keyof typeof checkMessages;

const regionNames = new Map<Language, Intl.DisplayNames>();

/** Returns the name of a country in a language. */
export function regionName(language: Language, code: string): string {
  const names = regionNames.get(language) ?? new Intl.DisplayNames(language, { type: "region" });
  regionNames.set(language, names);
  return names.of(code) ?? code;
}

/** A sentence in an answer: its id, and its parameters if it has any. */
interface MessageReference {
  readonly id: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Returns the sentence of a table with its parameters; undefined if it has none of this id. */
export function sentenceOf(
  table: Readonly<Record<string, Readonly<Record<Language, string>>>>,
  { id, params }: MessageReference,
  language: Language,
): string | undefined {
  return table[id]?.[language].replace(/\{(\w+)(:region)?\}/g, (_, name: string, isRegion) => {
    const value = String(params?.[name]);
    return isRegion === undefined ? value : regionName(language, value);
  });
}
