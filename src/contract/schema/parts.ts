import { type ErrorCode, errorCatalogue } from "../errors.ts";

/** A text. */
export const text = (description: string) => ({ type: "string", description }) as const;
/** A text, or null where it is not known. */
export const textOrNull = (description: string) => ({ type: ["string", "null"], description }) as const;
/** A whole number from 0 on. */
export const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const;

/** The schema of such an object. */
export interface ClosedObject<Properties> {
  readonly type: "object";
  readonly properties: Properties;
  readonly required: readonly (keyof Properties & string)[];
  readonly additionalProperties: false;
}

/** An object that has all of these properties and no other. */
export function objectOf<
  const Properties extends object,
  const About extends { readonly title?: string; readonly description?: string },
>(properties: Properties, about?: About): About & ClosedObject<Properties> {
  const { title, description } = about ?? {};
  const schema = {
    ...(title === undefined ? {} : { title }),
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return schema as unknown as About & ClosedObject<Properties>;
}

const messageSchema = {
  title: "Message",
  type: "object",
  description: "A sentence for programs.",
  properties: {
    id: { type: "string", description: "Which sentence it is; further ids may come." },
    params: {
      type: "object",
      description: "What the sentence names, where it names anything.",
      additionalProperties: { type: ["string", "number"] },
    },
  },
  required: ["id"],
  additionalProperties: false,
} as const;

/** The sentences of a text, by id. */
export const messagesSchema = <Text extends string>(description: Text) =>
  ({ type: "array", items: messageSchema, minItems: 1, description }) as const;

const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[];
const httpStatuses: readonly number[] = [
  ...new Set(Object.values(errorCatalogue).map((entry) => entry.http_status)),
].sort();

/** What is in the one member of every error answer, and in a batch entry that is not an IBAN. */
export const errorObjectSchema = {
  title: "ErrorObject",
  type: "object",
  description: "What was wrong.",
  properties: {
    http_status: { type: "integer", enum: httpStatuses, description: "The HTTP status of the answer." },
    code: { type: "string", enum: errorCodes, description: "The error for programs." },
    message: {
      type: "string",
      minLength: 1,
      description: "The error for people; may say more than the example.",
    },
    field: { type: "string", description: "The input field at fault, where there is one." },
    messages: messagesSchema("The message by id; only for explain=1."),
  },
  required: ["http_status", "code", "message"],
  additionalProperties: false,
} as const;

/** The answer to every request that is refused or fails. Source: interface specification, section "Errors". */
export const errorSchema = {
  title: "ErrorAnswer",
  type: "object",
  description: "The one form of every error.",
  properties: { error: errorObjectSchema },
  required: ["error"],
  additionalProperties: false,
} as const;
