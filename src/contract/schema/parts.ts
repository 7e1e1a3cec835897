import { type ErrorCode, errorCatalogue } from "../errors.ts";

/** A text. */
export const text = (description: string) => ({ type: "string", description });
/** A text, or null if it is not known. */
export const textOrNull = (description: string) => ({ type: ["string", "null"], description });
/** A text or a number. */
export const textOrNumber = { anyOf: [{ type: "string" }, { type: "number" }] };
/** A whole number from 0 on. */
export const count = (description: string) => ({ type: "integer", minimum: 0, description });

/** The sentence of an answer. */
export const sentence = {
  type: "string",
  minLength: 1,
  description: "The status in words, for people.",
};
/** The status of a search. */
export const foundStatus = {
  type: "integer",
  enum: [0, 1],
  description: "1 if something was found, otherwise 0.",
};
/** The BIC of a bank. */
export const bankBic = {
  type: ["string", "null"],
  pattern: "^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$",
  description: "The bank's BIC; null if not known.",
};
/** Facts about a bank that several answers have. */
export const bankName = text("Name of the bank; empty if not known.");
export const bankZip = text("Postal code of the bank; empty if not known.");
export const bankLocation = text("Town of the bank; empty if not known.");

/** Returns an object that has all of these properties but perhaps the optional ones, and no other. */
export function objectOf(
  properties: Readonly<Record<string, object>>,
  about: { readonly title?: string; readonly description?: string } = {},
  optional: readonly string[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { ...about, type: "object", properties, required, additionalProperties: false };
}

const messageSchema = objectOf(
  {
    id: text("Identifies the sentence; further ids may be added."),
    params: {
      type: "object",
      description: "Values of the sentence's parameters, if it has any.",
      additionalProperties: textOrNumber,
    },
  },
  { title: "Message", description: "A sentence for programs." },
  ["params"],
);

/** The sentences of a text, by id. */
export const messagesSchema = (description: string) => ({
  type: "array",
  items: messageSchema,
  minItems: 1,
  description,
});

const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[];
const httpStatuses: readonly number[] = [
  ...new Set(Object.values(errorCatalogue).map((entry) => entry.http_status)),
].sort();

/** The `error` object of every error answer and of a batch entry that is not an IBAN. */
export const errorObjectSchema = objectOf(
  {
    http_status: { type: "integer", enum: httpStatuses, description: "The HTTP status of the answer." },
    code: { type: "string", enum: errorCodes, description: "The error for programs." },
    message: {
      type: "string",
      minLength: 1,
      description: "The error for people; may be more precise than the example.",
    },
    field: text("The input field at fault, if there is one."),
    messages: messagesSchema("The message by id; only with explain=1."),
  },
  { title: "ErrorObject", description: "What was wrong." },
  ["field", "messages"],
);

/** The answer to every request that is refused or fails. Source: interface specification, section "Errors". */
export const errorSchema = objectOf(
  { error: errorObjectSchema },
  { title: "ErrorAnswer", description: "The form of every error." },
);
