import type { MessageTable } from "./message-table.ts";

/** Errors of streams and of the rows of files. */
export const streamMessages = {
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
  row_quotes: {
    en: "Line {line} cannot be read: its quotes are wrong.",
    de: "Zeile {line} ist nicht lesbar: Ihre Anführungszeichen sind falsch.",
  },
  row_fields: {
    en: "Line {line} cannot be read: it has {count} fields instead of {width}.",
    de: "Zeile {line} ist nicht lesbar: Sie hat {count} Felder statt {width}.",
  },
  row_long: {
    en: "Line {line} cannot be read: it is longer than 1 MB.",
    de: "Zeile {line} ist nicht lesbar: Sie ist länger als 1 MB.",
  },
  row_cut: {
    en: "Line {line} cannot be read: it is longer than 1 MB; its first {kept} bytes are kept.",
    de: "Zeile {line} ist nicht lesbar: Sie ist länger als 1 MB; ihre ersten {kept} Bytes bleiben.",
  },
  row_not_object: {
    en: "Line {line} cannot be read: it is not a JSON object.",
    de: "Zeile {line} ist nicht lesbar: Sie ist kein JSON-Objekt.",
  },
  row_unknown_key: {
    en: "Line {line} cannot be read: it has the key {key}, which none of the first 100 rows has.",
    de: "Zeile {line} ist nicht lesbar: Sie hat den Schlüssel {key}, den keine der ersten 100 Zeilen hat.",
  },
  row_nested: {
    en: "Line {line} cannot be read: its values are nested too deeply.",
    de: "Zeile {line} ist nicht lesbar: Ihre Werte sind zu tief geschachtelt.",
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
    de: "Keine Spalte sieht nach IBANs aus, und keine zwei nach Kontonummer und Bankleitzahl. Bitte mit {option} wählen; die Spalten sind:\n{columns}",
  },
  columns_unequal: {
    en: "Only one of the columns {columns} looks like IBANs; two columns must both be IBANs, or kontonummer and BLZ. For IBAN and BIC use {option}.",
    de: "Nur eine der Spalten {columns} sieht nach IBANs aus; zwei Spalten müssen beide IBANs enthalten, oder Kontonummer und Bankleitzahl. Für IBAN und BIC gibt es {option}.",
  },
  columns_bic: {
    en: "{option} takes one column with IBANs.",
    de: "{option} verlangt eine einzige Spalte mit IBANs.",
  },
  columns_long: {
    en: "The names of the columns to check have more than {max} characters together; shorten them.",
    de: "Die Namen der zu prüfenden Spalten haben zusammen mehr als {max} Zeichen; bitte kürzen.",
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
    en: "The next data took too long to arrive, so the stream ends here; send the rest in a new stream.",
    de: "Die nächsten Daten kamen zu spät; der Stream endet hier. Bitte den Rest in einem neuen Stream senden.",
  },
} as const satisfies MessageTable;
