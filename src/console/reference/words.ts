import type { Language } from "../words.ts";

const english = {
  search: "Search endpoints",
  nothing: "No endpoint matches.",
  parameters: "Parameters",
  body: "Request body",
  answers: "Responses",
  fields: "Fields",
  example: "Example",
  code: "Code",
  copy: "Copy",
  copied: "Copied",
  try: "Try it",
  send: "Send",
  sending: "Sending …",
  needsKey: "Sign in to send requests. The reference itself needs no key.",
  unreachable: "The service did not answer.",
  required: "required",
  took: "ms",
  loading: "Loading the reference …",
  failed: "The reference could not be loaded.",
  openapi: "OpenAPI document",
};

/** The texts of the Reference view. */
export type ReferenceWords = typeof english;

export const referenceWords: Readonly<Record<Language, ReferenceWords>> = {
  en: english,
  de: {
    search: "Endpunkte suchen",
    nothing: "Kein Endpunkt passt.",
    parameters: "Parameter",
    body: "Inhalt der Anfrage",
    answers: "Antworten",
    fields: "Felder",
    example: "Beispiel",
    code: "Code",
    copy: "Kopieren",
    copied: "Kopiert",
    try: "Ausprobieren",
    send: "Senden",
    sending: "Wird gesendet …",
    needsKey: "Zum Senden bitte anmelden. Die Referenz selbst ist ohne Schlüssel lesbar.",
    unreachable: "Der Dienst hat nicht geantwortet.",
    required: "Pflicht",
    took: "ms",
    loading: "Die Referenz wird geladen …",
    failed: "Die Referenz konnte nicht geladen werden.",
    openapi: "OpenAPI-Dokument",
  },
};
