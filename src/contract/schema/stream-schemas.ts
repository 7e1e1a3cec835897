import { errorObjectSchema } from "./error-schema.ts";
import { count, objectOf } from "./parts.ts";

const line = { type: "integer", minimum: 1, description: "Number of the line of the body, from 1." } as const;

/** What a stream is answered in. */
export const streamMediaTypes = { ndjson: "application/x-ndjson", csv: "text/csv" } as const;

/** What `fields` may name where a stream is answered in NDJSON. */
const streamFieldNames: ReadonlySet<string> = new Set([
  ...["iban", "valid", "status", "data", "error", "bic", "kto", "blz", "bank", "zip", "location", "country"],
  ...["sepa_methods", "sepa_reach", "reason", "severity", "message", "checks", "messages", "suggestions"],
  "suggestion_count",
  "edition",
]);

/** Whether `fields` may name a field of an answered line. */
export function isStreamField(name: string): boolean {
  return streamFieldNames.has(name);
}

/** One answered line of a stream; `fields` chooses what it contains. */
export const streamLineSchema = {
  title: "StreamLine",
  type: "object",
  description:
    "A line of the answer: the entry that a batch would have, with data as for an account where one was asked, or an error. An error without a line concerns the stream.",
  properties: {
    line,
    id: { type: ["string", "number"], description: "The id of the line of the body, where it has one." },
    valid: { type: "boolean", description: "Whether status is 1." },
    status: { type: "integer", description: "Business status, as in the answer to a single check." },
    error: errorObjectSchema,
  },
  additionalProperties: true,
} as const;

/** The last line of a stream. */
export const streamSummarySchema = objectOf(
  {
    summary: {
      type: "object",
      properties: {
        lines: count("Answered lines; empty ones have no answer."),
        valid: count("Numbers that are valid."),
        invalid: count("Numbers that are not valid."),
        errors: count("Lines that could not be read."),
        reasons: {
          type: "object",
          description: "How many numbers are not valid, by reason.",
          additionalProperties: { type: "integer", minimum: 1 },
        },
        next_line: {
          ...line,
          description:
            "From which line to go on in a new stream; only where the stream ended before its body: the service stops, nothing came for too long, or a line was too long.",
        },
      },
      required: ["lines", "valid", "invalid", "errors", "reasons"],
      additionalProperties: false,
    },
  },
  { title: "StreamSummary", description: "The last line of the answer; an answer without it was cut off." },
);
