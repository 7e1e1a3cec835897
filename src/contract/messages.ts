/** The languages of the service; the first one is the default. */
export const languages = ["en", "de"] as const;

/** A language of the service, as its ISO 639 code. */
export type Language = (typeof languages)[number];

/**
 * Every sentence in an answer of the service, by id.
 *
 * Ids are part of the interface and keep their meaning; wording may improve. `{name}` is a parameter, `{name:region}` the
 * name of the country with that code. An error code is also the id of its sentence.
 */
export const messages = {
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
    de: "Es lässt sich keine IBAN bilden: Die Bankleitzahl ist gelöscht und hat keine Nachfolgerin.",
  },
  rule_unknown: {
    en: "No IBAN can be generated: the bank's IBAN rule is not known.",
    de: "Es lässt sich keine IBAN bilden: Die IBAN-Regel der Bank ist nicht bekannt.",
  },
  rule_target_unknown: {
    en: "No IBAN can be generated: the IBAN rule leads to a bank code that does not exist.",
    de: "Es lässt sich keine IBAN bilden: Die IBAN-Regel führt auf eine Bankleitzahl, die nicht existiert.",
  },

  /* What a result may add. */
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
    de: "Die Bankleitzahl ist zur Löschung vorgemerkt und hat keine Nachfolgerin.",
  },
  deletion_marked_with_successor: {
    en: "The bank code is marked for deletion; its successor is {successor}.",
    de: "Die Bankleitzahl ist zur Löschung vorgemerkt; ihre Nachfolgerin ist {successor}.",
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
    en: "{code} is not in the directory, which is not complete for this country.",
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
    de: "Die Nachfolgerin der Bankleitzahl ist {successor}.",
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
    en: "{code} is not the code of a currency; reported, but does not make the IBAN invalid.",
    de: "{code} ist kein Währungscode; das wird nur gemeldet und macht die IBAN nicht ungültig.",
  },
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
    de: "Der BIC gehört demselben Institut: Die ersten acht Zeichen stimmen überein.",
  },
  bic_known_for_bank_code: {
    en: "The BIC is another one known for the bank code.",
    de: "Das ist ein weiterer zu dieser Bankleitzahl bekannter BIC.",
  },
  bic_country_only: {
    en: "No BIC is known for the bank; the countries match.",
    de: "Zu der Bank ist kein BIC bekannt; die Länder stimmen überein.",
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
  sepa_from_directory: {
    en: "Read from the directory of reachable payment service providers (edition {edition}).",
    de: "Aus dem Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {edition}).",
  },
  sepa_inherited: {
    en: "Inherited from the head office's entry in the directory of reachable payment service providers (edition {edition}).",
    de: "Vom Eintrag der Hauptstelle im Verzeichnis der erreichbaren Zahlungsdienstleister übernommen (Ausgabe {edition}).",
  },
  sepa_unlisted: {
    en: "Assumed: no BIC of the bank is listed in the directory of reachable payment service providers (edition {edition}).",
    de: "Angenommen: Im Verzeichnis der erreichbaren Zahlungsdienstleister (Ausgabe {edition}) steht kein BIC der Bank.",
  },

  /* Other answers. */
  batch_processed: { en: "The batch was processed.", de: "Die Liste wurde geprüft." },
  banks_found: { en: "Banks were found.", de: "Es wurden Banken gefunden." },
  no_bank_found: { en: "No bank was found.", de: "Es wurde keine Bank gefunden." },
  suggestions_found: {
    en: "Possible IBANs were found.",
    de: "Es wurden mögliche IBANs gefunden.",
  },
  no_suggestion_found: {
    en: "No possible IBAN was found.",
    de: "Es wurde keine mögliche IBAN gefunden.",
  },
  nothing_to_correct: {
    en: "The IBAN is valid; there is nothing to correct.",
    de: "Die IBAN ist gültig; es gibt nichts zu korrigieren.",
  },
  numbers_extracted: {
    en: "IBANs or BICs were found in the text.",
    de: "Im Text wurden IBANs oder BICs gefunden.",
  },
  nothing_extracted: {
    en: "Neither an IBAN nor a BIC was found in the text.",
    de: "Im Text wurde weder eine IBAN noch ein BIC gefunden.",
  },
  bic_found: { en: "The BIC is known.", de: "Der BIC ist bekannt." },
  bic_unknown: { en: "The BIC is not known.", de: "Der BIC ist nicht bekannt." },
  iban_composed: { en: "The IBAN was composed.", de: "Die IBAN wurde gebildet." },
  compose_check_digits: {
    en: "No IBAN: the national check digits of the bank code or account number are wrong.",
    de: "Keine IBAN: Die nationalen Prüfziffern von Bankleitzahl oder Kontonummer sind falsch.",
  },
  compose_part: {
    en: "{field} does not fit the country: it must have at most {length} of the characters allowed there.",
    de: "{field} passt nicht zum Land: höchstens {length} der dort erlaubten Zeichen.",
  },
  country_not_in_registry: {
    en: "The country must be the code of a country in the IBAN registry that has bank codes.",
    de: "Der Ländercode muss zu einem Land im IBAN-Register gehören, das Bankleitzahlen hat.",
  },
  samples_made: {
    en: "Test numbers were made; none of them is known to belong to an account.",
    de: "Es wurden Testnummern gebildet; von keiner ist bekannt, dass sie zu einem Konto gehört.",
  },
  pong: { en: "Pong", de: "Pong" },
  test_pong: { en: "Testmode - Ping", de: "Testmode - Ping" },

  /* Errors: one sentence for each code, and more precise ones. */
  invalid_key: {
    en: "The API key is missing or not valid.",
    de: "Der API-Schlüssel fehlt oder ist ungültig.",
  },
  invalid_iban: {
    en: "The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.",
    de: "Die IBAN ist zu kurz, beginnt nicht mit zwei Buchstaben oder enthält andere Zeichen als Buchstaben und Ziffern.",
  },
  invalid_bic: {
    en: "The BIC is not in ISO 9362 format: 8 or 11 characters, first six letters, then letters or digits.",
    de: "Der BIC entspricht nicht ISO 9362: 8 oder 11 Zeichen, zuerst sechs Buchstaben, dann Buchstaben oder Ziffern.",
  },
  invalid_kontonummer: {
    en: "The account number (kontonummer) is missing, zero, or contains characters other than digits.",
    de: "Die Kontonummer fehlt, ist null oder enthält andere Zeichen als Ziffern.",
  },
  invalid_blz: {
    en: "The bank code (bankleitzahl) is missing or contains characters other than digits.",
    de: "Die Bankleitzahl fehlt oder enthält andere Zeichen als Ziffern.",
  },
  batch_size_invalid: {
    en: "A batch must contain 1 to {max} IBANs.",
    de: "Eine Liste muss 1 bis {max} IBANs enthalten.",
  },
  invalid_batch_ibans: {
    en: "The field ibans must be an array of strings.",
    de: "Das Feld ibans muss ein Array von Zeichenketten sein.",
  },
  conflicting_iban_fields: {
    en: "The body must contain either iban or ibans, not both.",
    de: "Der Request-Body darf nur eines der Felder iban und ibans enthalten.",
  },
  invalid_content_type: {
    en: "The Content-Type must be application/json.",
    de: "Der Content-Type muss application/json sein.",
  },
  payload_too_large: {
    en: "The request body is larger than the maximum of {max} KB.",
    de: "Der Request-Body ist größer als die erlaubten {max} KB.",
  },
  invalid_zip: {
    en: "The postal code (zip) must contain digits only.",
    de: "Die Postleitzahl (zip) darf nur Ziffern enthalten.",
  },
  invalid_json: {
    en: "The request body is valid JSON but not an object.",
    de: "Der Request-Body ist gültiges JSON, aber kein Objekt.",
  },
  missing_search_criteria: {
    en: "At least one of name, location, zip and bankleitzahl is required.",
    de: "Mindestens eines der Felder name, location, zip und bankleitzahl ist anzugeben.",
  },
  invalid_max: {
    en: "max must be between 1 and {max}.",
    de: "max muss zwischen 1 und {max} liegen.",
  },
  invalid_sepa: { en: "sepa must be 0 or 1.", de: "sepa muss 0 oder 1 sein." },
  invalid_request: {
    en: "The request does not match any endpoint or is not valid JSON.",
    de: "Die Anfrage passt zu keinem Endpunkt oder ist kein gültiges JSON.",
  },
  method_not_allowed: {
    en: "The method is not allowed here.",
    de: "Die Methode ist hier nicht erlaubt.",
  },
  forbidden: {
    en: "Access to this resource is not allowed.",
    de: "Der Zugriff auf diese Ressource ist nicht erlaubt.",
  },
  not_found: { en: "The resource does not exist.", de: "Die Ressource existiert nicht." },
  internal_error: {
    en: "An unexpected server error occurred; the request can usually be retried unchanged.",
    de: "Im Dienst ist ein unerwarteter Fehler aufgetreten; dieselbe Anfrage gelingt meist beim nächsten Versuch.",
  },
  checker_failed: {
    en: "The check could not be performed although the request was valid; please retry.",
    de: "Die Prüfung ließ sich nicht ausführen, obwohl die Anfrage gültig war; bitte erneut versuchen.",
  },
  server_busy: {
    en: "All processing slots for checks are in use; resend the request unchanged after the wait.",
    de: "Alle Prüfplätze sind belegt; bitte die Anfrage nach der Wartezeit unverändert wiederholen.",
  },
  key_concurrency: {
    en: "This API key has as many requests in progress as its limit allows; resend the request unchanged after the wait.",
    de: "Für diesen API-Schlüssel sind so viele Anfragen in Arbeit, wie sein Limit erlaubt; bitte die Anfrage nach der Wartezeit unverändert wiederholen.",
  },
  key_rate: {
    en: "This API key has used up the checks per second that its limit allows; resend the request unchanged after the wait.",
    de: "Dieser API-Schlüssel hat die Prüfungen je Sekunde ausgeschöpft, die sein Limit erlaubt; bitte die Anfrage nach der Wartezeit unverändert wiederholen.",
  },
  configuration_error: {
    en: "The server configuration could not be loaded; a retry does not help.",
    de: "Die Konfiguration des Dienstes ließ sich nicht laden; ein neuer Versuch hilft nicht.",
  },
  body_not_json: {
    en: "The request body is not valid JSON.",
    de: "Der Request-Body ist kein gültiges JSON.",
  },
  account_in_path: {
    en: "Account numbers in paths are not accepted here because proxies log them; use POST /v1/iban or POST /v1/kto.",
    de: "Kontonummern in Pfaden werden hier nicht angenommen, da Proxys sie protokollieren; stattdessen POST /v1/iban oder POST /v1/kto verwenden.",
  },
  body_incomplete: {
    en: "The request body was not transmitted completely.",
    de: "Der Request-Body kam nicht vollständig an.",
  },
  too_many_unreadable: {
    en: "At most {max} characters of the IBAN may be unreadable (?).",
    de: "Höchstens {max} Zeichen der IBAN dürfen unlesbar sein (?).",
  },
  country_unreadable: {
    en: "The IBAN must begin with the two letters of a registered country, neither of them unreadable (?).",
    de: "Die IBAN muss mit den zwei Buchstaben eines registrierten Landes beginnen, von denen keiner unlesbar (?) ist.",
  },
  field_invalid: {
    en: "{field} is missing or has a value that is not accepted.",
    de: "{field} fehlt oder hat einen Wert, der nicht angenommen wird.",
  },
  body_property_unknown: {
    en: "The body contains a property that is not accepted.",
    de: "Der Request-Body enthält ein Feld, das nicht vorgesehen ist.",
  },
  framing_repeated: {
    en: "The request must declare the length of its body only once.",
    de: "Die Anfrage darf die Länge des Request-Body nur einmal angeben.",
  },
  framing_encoding: {
    en: "The Transfer-Encoding must be chunked.",
    de: "Transfer-Encoding muss chunked sein.",
  },
  framing_chunks: {
    en: "The chunks of the request body cannot be read; chunk extensions are not supported.",
    de: "Die Chunks des Request-Body sind nicht lesbar; Chunk-Erweiterungen werden nicht unterstützt.",
  },
  framing_length: {
    en: "The Content-Length must be a number.",
    de: "Content-Length muss eine Zahl sein.",
  },
  method_allowed: {
    en: "The method {method} is not allowed here; allowed: {allow}.",
    de: "Die Methode {method} ist hier nicht erlaubt; erlaubt: {allow}.",
  },
  usage_unavailable: {
    en: "The usage store does not answer; retry after 2 seconds.",
    de: "Der Nutzungsspeicher antwortet nicht; bitte in 2 Sekunden erneut versuchen.",
  },

  /* What the status codes mean. */
  account_status_0: {
    en: "The check digit is wrong: this bank cannot have issued the account number.",
    de: "Die Prüfziffer ist falsch: Diese Bank kann die Kontonummer nicht vergeben haben.",
  },
  account_status_1: { en: "The bank details are valid.", de: "Die Bankverbindung ist gültig." },
  account_status_2: {
    en: "The bank code does not have 8 digits.",
    de: "Die Bankleitzahl hat nicht 8 Ziffern.",
  },
  account_status_3: {
    en: "The account number has more than 10 digits.",
    de: "Die Kontonummer hat mehr als 10 Ziffern.",
  },
  account_status_4: {
    en: "Neither bank code nor account number is well formed.",
    de: "Weder Bankleitzahl noch Kontonummer haben die richtige Form.",
  },
  account_status_7: {
    en: "The bank code is not in the directory.",
    de: "Die Bankleitzahl steht nicht im Verzeichnis.",
  },
  account_status_8: {
    en: "The bank's check-digit method is not known, so nothing can be said about the account number.",
    de: "Das Prüfziffernverfahren der Bank ist nicht bekannt, über die Kontonummer lässt sich also nichts sagen.",
  },
  account_status_9: {
    en: "The account number cannot be checked because it has no check digit, or (with sepa=1) no IBAN may be generated.",
    de: "Die Kontonummer lässt sich nicht prüfen, da sie keine Prüfziffer hat, oder es darf (mit sepa=1) keine IBAN gebildet werden.",
  },
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
    en: "The bank code is not in the directory (only where the directory of the country is complete: DE).",
    de: "Die Bankleitzahl steht nicht im Verzeichnis (nur wo das Verzeichnis des Landes vollständig ist: DE).",
  },

  /* Streams. */
  stream_content_type: {
    en: "The Content-Type of a stream must be application/x-ndjson, text/csv or text/plain; its Content-Encoding gzip or none.",
    de: "Der Content-Type eines Streams muss application/x-ndjson, text/csv oder text/plain sein; als Content-Encoding geht nur gzip oder keine.",
  },
  rows_not_text: {
    en: "The file is not text, or is in an unknown encoding; save it as CSV in UTF-8.",
    de: "Die Datei ist kein Text oder hat eine unbekannte Kodierung; bitte als CSV in UTF-8 speichern.",
  },
  rows_empty: { en: "The file is empty.", de: "Die Datei ist leer." },
  rows_first_long: {
    en: "The first row is longer than 64 KB.",
    de: "Die erste Zeile ist länger als 64 KB.",
  },
  rows_unreadable: {
    en: "The file has no rows that can be read.",
    de: "Die Datei hat keine lesbare Zeile.",
  },
  row_unreadable: {
    en: "Line {line} cannot be read: {fault}.",
    de: "Zeile {line} ist nicht lesbar: {fault}.",
  },
  columns_of_account: {
    en: "Name both {kontonummer} and {blz}, without {option}.",
    de: "Bitte {kontonummer} und {blz} zusammen angeben, ohne {option}.",
  },
  columns_several_ibans: {
    en: "Several columns look like IBANs: {columns}. Choose with {option}, once for each column to be checked.",
    de: "Mehrere Spalten sehen nach IBANs aus: {columns}. Bitte mit {option} wählen, einmal für jede zu prüfende Spalte.",
  },
  columns_none: {
    en: "No column looks like IBANs, and no two like kontonummer and BLZ. Choose with {option}; the columns are:\n{columns}",
    de: "Keine Spalte sieht nach IBANs aus, und keine zwei nach Kontonummer und BLZ. Bitte mit {option} wählen; die Spalten sind:\n{columns}",
  },
  columns_unequal: {
    en: "Only one of the columns {columns} looks like IBANs; two columns must both be IBANs, or kontonummer and BLZ. For IBAN and BIC use {option}.",
    de: "Nur eine der Spalten {columns} sieht nach IBANs aus; zwei Spalten müssen beide IBANs enthalten, oder Kontonummer und BLZ. Für IBAN und BIC gibt es {option}.",
  },
  columns_bic: {
    en: "{option} takes one column with IBANs.",
    de: "{option} verlangt eine einzige Spalte mit IBANs.",
  },
  columns_unknown: {
    en: "There is no column {column}; the columns are: {columns}.",
    de: "Es gibt keine Spalte {column}; vorhanden sind: {columns}.",
  },
  stream_line: {
    en: "The line must be a JSON string, or an object with iban, or with kontonummer and bankleitzahl.",
    de: "Die Zeile muss ein JSON-String sein oder ein Objekt mit iban oder mit kontonummer und bankleitzahl.",
  },
  stream_utf8: { en: "The line is not valid UTF-8.", de: "Die Zeile ist kein gültiges UTF-8." },
  stream_line_length: {
    en: "The line is longer than {max} bytes, so the stream ends here.",
    de: "Die Zeile ist länger als {max} Bytes, deshalb endet der Stream hier.",
  },
  stream_gzip: {
    en: "The stream ends here, because its body is not gzip or is truncated.",
    de: "Der Stream endet hier, weil sein Body kein gzip ist oder abbricht.",
  },
  stream_idle: {
    en: "The stream ends here, because nothing was received for too long; send the rest in a new stream.",
    de: "Der Stream endet hier, weil zu lange keine Daten kamen; bitte den Rest in einem neuen Stream senden.",
  },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;
