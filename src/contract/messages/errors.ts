import type { MessageTable } from "./message-table.ts";

/** Errors: one sentence for each code, which is its id, and more precise ones. */
export const errorMessages = {
  invalid_key: {
    en: "The API key is missing or not valid.",
    de: "Der API-Schlüssel fehlt oder ist ungültig.",
  },
  invalid_iban: {
    en: "The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.",
    de: "Die IBAN ist zu kurz, beginnt nicht mit zwei Buchstaben oder enthält andere Zeichen als Buchstaben und Ziffern.",
  },
  iban_is_bic: {
    en: "This has the form of a BIC, not of an IBAN.",
    de: "Das hat die Form eines BIC, nicht die einer IBAN.",
  },
  iban_is_account: {
    en: "This has the form of an account number or a bank code, not of an IBAN; check the two together.",
    de: "Das hat die Form einer Kontonummer oder Bankleitzahl, nicht die einer IBAN; prüfen lassen sich beide zusammen.",
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
    en: "The BIC is not in ISO 9362 format: 8 or 11 characters, first four letters, then the code of a country, then letters or digits.",
    de: "Der BIC entspricht nicht ISO 9362: 8 oder 11 Zeichen, zuerst vier Buchstaben, dann der Code eines Landes, dann Buchstaben oder Ziffern.",
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
    en: "Send either iban or ibans, not both.",
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
    en: "At least one of name, location, zip, bankleitzahl and bic is required.",
    de: "Mindestens eines der Felder name, location, zip, bankleitzahl und bic ist erforderlich.",
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
    en: "An unexpected error occurred in the service; the same request usually succeeds when retried.",
    de: "Im Dienst ist ein unerwarteter Fehler aufgetreten; dieselbe Anfrage gelingt meist beim nächsten Versuch.",
  },
  checker_failed: {
    en: "The check could not be performed, although the request was valid; retry it unchanged.",
    de: "Die Prüfung ließ sich nicht ausführen, obwohl die Anfrage gültig war; bitte erneut versuchen.",
  },
  server_busy: {
    en: "All processing slots for checks are in use; resend the request unchanged after 2 seconds.",
    de: "Alle Prüfplätze sind belegt; bitte die Anfrage in 2 Sekunden unverändert wiederholen.",
  },
  key_concurrency: {
    en: "This API key has reached its limit of concurrent requests; retry after 2 seconds.",
    de: "Dieser API-Schlüssel hat sein Limit gleichzeitiger Anfragen erreicht; bitte in 2 Sekunden erneut versuchen.",
  },
  key_rate: {
    en: "Rate limit of this API key exceeded; retry after 2 seconds.",
    de: "Das Limit dieses API-Schlüssels je Sekunde ist überschritten; bitte in 2 Sekunden erneut versuchen.",
  },
  configuration_error: {
    en: "The configuration of the service could not be loaded; a retry does not help.",
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
  field_text: {
    en: "{field} must be a text in quotation marks: a number loses its leading zeros.",
    de: "{field} muss ein Text in Anführungszeichen sein: Eine Zahl verliert führende Nullen.",
  },
  field_between: {
    en: "{field} must be a number from {min} to {max}.",
    de: "{field} muss eine Zahl von {min} bis {max} sein.",
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
} as const satisfies MessageTable;
