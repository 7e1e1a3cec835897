import { checkMessages, type Language } from "./check-messages.ts";

/**
 * Every sentence in an answer of the service, by id.
 *
 * Ids are part of the interface and keep their meaning; wording may improve. `{name}` is a parameter, `{name:region}` the
 * name of the country with that code. An error code is also the id of its sentence.
 */
export const messages = {
  ...checkMessages,

  /* Other answers. */
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
    en: "IBANs found: {ibans}; BICs: {bics}; accounts: {accounts}.",
    de: "Gefundene IBANs: {ibans}; BICs: {bics}; Konten: {accounts}.",
  },
  nothing_extracted: {
    en: "The text contains no IBAN, BIC or account.",
    de: "Der Text enthält keine IBAN, keinen BIC und kein Konto.",
  },
  bic_found: { en: "The BIC is known.", de: "Der BIC ist bekannt." },
  bic_unknown: { en: "The BIC is not known.", de: "Der BIC ist nicht bekannt." },
  iban_composed: { en: "The IBAN was composed.", de: "Die IBAN wurde gebildet." },
  iban_composed_unproven: {
    en: "The IBAN was composed. Its account number fails the national check, which is reported but not enforced in this country.",
    de: "Die IBAN wurde gebildet. Ihre Kontonummer besteht die nationale Prüfung nicht, die in diesem Land gemeldet, aber nicht erzwungen wird.",
  },
  compose_check_digits: {
    en: "No IBAN: the national check digits of the bank code or account number are wrong.",
    de: "Keine IBAN: Die nationalen Prüfziffern von Bankleitzahl oder Kontonummer sind falsch.",
  },
  compose_part_missing: {
    en: "{field} is required for {country}.",
    de: "{field} ist für {country} erforderlich.",
  },
  compose_part: {
    en: "{field} must have at most {length} characters of those that the country allows.",
    de: "{field} darf höchstens {length} der im Land erlaubten Zeichen haben.",
  },
  country_not_in_registry: {
    en: "The country must be the code of a country in the IBAN registry that has bank codes.",
    de: "Der Ländercode muss zu einem Land im IBAN-Register gehören, das Bankleitzahlen hat.",
  },
  samples_made: {
    en: "Test numbers; none is known to belong to an account.",
    de: "Testnummern; von keiner ist bekannt, dass sie zu einem Konto gehört.",
  },
  samples_none: {
    en: "No test number is possible: no bank in the country's list accepts one.",
    de: "Keine Testnummer möglich: Keine Bank in der Liste des Landes lässt eine zu.",
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
  iban_is_bic: { en: "This is a BIC, not an IBAN.", de: "Das ist ein BIC, keine IBAN." },
  iban_is_account: {
    en: "This is an account number, not an IBAN; check it together with its bank code.",
    de: "Das ist eine Kontonummer, keine IBAN; zum Prüfen gehört die Bankleitzahl dazu.",
  },
  iban_is_card: { en: "This is a card number, not an IBAN.", de: "Das ist eine Kartennummer, keine IBAN." },
  iban_is_creditor_identifier: {
    en: "This is a creditor identifier for direct debits, not an IBAN.",
    de: "Das ist eine Gläubiger-Identifikationsnummer für Lastschriften, keine IBAN.",
  },
  iban_is_creditor_reference: {
    en: "This is a creditor reference, not an IBAN.",
    de: "Das ist eine Creditor Reference, keine IBAN.",
  },
  iban_is_prose: {
    en: "This is text without digits, not an IBAN.",
    de: "Das ist Text ohne Ziffern, keine IBAN.",
  },
  invalid_bic: {
    en: "The BIC is not in ISO 9362 format: 8 or 11 characters, first six letters, then letters or digits.",
    de: "Der BIC entspricht nicht ISO 9362: 8 oder 11 Zeichen, zuerst sechs Buchstaben, dann Buchstaben oder Ziffern.",
  },
  invalid_kontonummer: {
    en: "The account number (kontonummer) is missing, zero, or contains characters other than digits.",
    de: "Die Kontonummer fehlt, ist 0 oder enthält andere Zeichen als Ziffern.",
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
    de: "Entweder iban oder ibans senden, nicht beides.",
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
    de: "Mindestens eines der Felder name, location, zip und bankleitzahl ist erforderlich.",
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
    en: "This API key has reached its limit of concurrent requests; retry after the wait.",
    de: "Dieser API-Schlüssel hat sein Limit gleichzeitiger Anfragen erreicht; bitte nach der Wartezeit erneut versuchen.",
  },
  key_rate: {
    en: "The rate limit of this API key is exceeded; retry after the wait.",
    de: "Das Limit dieses API-Schlüssels je Sekunde ist überschritten; bitte nach der Wartezeit erneut versuchen.",
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
    en: "The request body did not arrive completely.",
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
  endpoint_unknown: {
    en: "No such endpoint: {method} {path}",
    de: "Diesen Endpunkt gibt es nicht: {method} {path}",
  },
  field_missing: { en: "{field} is required.", de: "{field} ist erforderlich." },
  field_either: {
    en: "{field} must be {first} or {second}.",
    de: "{field} muss {first} oder {second} sein.",
  },
  field_invalid: {
    en: "The value of {field} is not accepted.",
    de: "Der Wert von {field} ist nicht erlaubt.",
  },
  parameter_unknown: {
    en: "There is no query parameter {field} here; known: {known}.",
    de: "Den Parameter {field} gibt es hier nicht; bekannt sind: {known}.",
  },
  parameter_misspelt: {
    en: "There is no query parameter {field} here. Did you mean {nearest}?",
    de: "Den Parameter {field} gibt es hier nicht. Ist {nearest} gemeint?",
  },
  body_property_unknown: {
    en: "The body contains an unknown property.",
    de: "Der Request-Body enthält ein unbekanntes Feld.",
  },
  framing_repeated: {
    en: "The request must declare the length of its body exactly once.",
    de: "Die Anfrage muss die Länge des Request-Body genau einmal angeben.",
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

  /* Meanings of the status codes of an account check. */
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
    en: "The bank's check-digit method is not known, so the account number cannot be checked.",
    de: "Das Prüfziffernverfahren der Bank ist nicht bekannt; die Kontonummer lässt sich nicht prüfen.",
  },
  account_status_9: {
    en: "The account number cannot be checked because it has no check digit, or (with sepa=1) no IBAN may be generated.",
    de: "Die Kontonummer lässt sich nicht prüfen, da sie keine Prüfziffer hat, oder es darf (mit sepa=1) keine IBAN gebildet werden.",
  },

  /* Streams. */
  stream_content_type: {
    en: "A stream needs the Content-Type application/x-ndjson, text/csv or text/plain, and no Content-Encoding but gzip.",
    de: "Ein Stream braucht den Content-Type application/x-ndjson, text/csv oder text/plain und als Content-Encoding höchstens gzip.",
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
    en: "The file has no readable rows.",
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
  columns_same_name: {
    en: "Columns {numbers} are called {column}; name one by number.",
    de: "Die Spalten {numbers} heißen {column}; bitte eine Nummer nennen.",
  },
  columns_none: {
    en: "No column looks like IBANs, and no two columns look like kontonummer and BLZ. Choose with {option}; the columns are:\n{columns}",
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
  stream_id: {
    en: "The id must be a string or a number.",
    de: "Die id muss ein String oder eine Zahl sein.",
  },
  stream_fields: {
    en: "Unknown field {field}; this answer has the fields {fields}.",
    de: "Unbekanntes Feld {field}; diese Antwort hat die Felder {fields}.",
  },
  stream_columns: {
    en: "A stream checks at most {max} columns.",
    de: "Ein Stream prüft höchstens {max} Spalten.",
  },
  stream_json: { en: "The line is not valid JSON.", de: "Die Zeile ist kein gültiges JSON." },
  stream_utf8: { en: "The line is not text in UTF-8.", de: "Die Zeile ist kein Text in UTF-8." },
  stream_line_length: {
    en: "The line is longer than {max} bytes, so the stream ends here.",
    de: "Die Zeile ist länger als {max} Bytes, deshalb endet der Stream hier.",
  },
  stream_gzip: {
    en: "The body is not gzip or is truncated, so the stream ends here.",
    de: "Der Body ist kein gzip oder bricht ab; der Stream endet hier.",
  },
  stream_blank: {
    en: "{megabytes} MB arrived without a line to check, so the stream ends here.",
    de: "{megabytes} MB kamen ohne eine Zeile zum Prüfen; der Stream endet hier.",
  },
  stream_dense: {
    en: "The compressed body has more than {max} lines per byte, so the stream ends here; send the rest in a new stream.",
    de: "Der komprimierte Body hat mehr als {max} Zeilen je Byte; der Stream endet hier. Bitte den Rest in einem neuen Stream senden.",
  },
  stream_idle: {
    en: "No data arrived for too long, so the stream ends here; send the rest in a new stream.",
    de: "Zu lange kamen keine Daten; der Stream endet hier. Bitte den Rest in einem neuen Stream senden.",
  },
} as const satisfies Record<string, Readonly<Record<Language, string>>>;
