/** The Request Body Object of a stream. Source: OpenAPI Specification 3.1.0, section "Request Body Object". */
export const streamBody = {
  required: true,
  description:
    "Any number of lines. NDJSON: strings, objects with iban and perhaps bic, or with kontonummer and bankleitzahl, each perhaps with an id. Plain text: an IBAN a line. Empty lines are passed over; a line has at most 64 KB.",
  content: {
    "application/x-ndjson": {
      schema: { type: "string" },
      examples: {
        lines: {
          summary: "An IBAN, an IBAN with its BIC, and an account",
          value:
            '"DE89370400440532013000"\n{"id":7,"iban":"DE89370400440532013000","bic":"COBADEFFXXX"}\n{"id":"a","kontonummer":"532013000","bankleitzahl":"37040044"}\n',
        },
      },
    },
    "text/plain": {
      schema: { type: "string" },
      examples: {
        lines: { summary: "Two IBANs", value: "DE89370400440532013000\nGB29NWBK60161331926819\n" },
      },
    },
  },
} as const;
