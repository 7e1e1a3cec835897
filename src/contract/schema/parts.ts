import { errorCatalogue } from "../errors.ts";

export const text = (description: string) => ({ type: "string", description });
export const textOrNull = (description: string) => ({ type: ["string", "null"], description });
export const textOrNumber = { anyOf: [{ type: "string" }, { type: "number" }] };
export const textLike = (pattern: string, description: string) => ({ type: "string", pattern, description });
export const enumOf = (values: readonly string[] | readonly number[], description: string) => ({
  type: typeof values[0] === "number" ? "integer" : "string",
  enum: values,
  description,
});
export const count = (description: string) => ({ type: "integer", minimum: 0, description });
export const truth = (description: string) => ({ type: "boolean", description });
export const listOf = (items: object, description: string, maxItems?: number) => ({
  type: "array",
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
  description,
});
export const someOf = (...list: Parameters<typeof listOf>) => ({ ...listOf(...list), minItems: 1 });
export const orNull = <Schema extends { readonly type: string; readonly enum?: readonly unknown[] }>(
  schema: Schema,
) => ({ ...schema, type: [schema.type, "null"], ...(schema.enum && { enum: [...schema.enum, null] }) });

export const sentence = { ...text("The status in words, for people."), minLength: 1 };
export const foundStatus = enumOf([0, 1], "1 if something was found, otherwise 0.");
export const bankBic = orNull(
  textLike("^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$", "The bank's BIC; null if not known."),
);
export const bankName = text("Name of the bank; empty if not known.");
export const bankTown = {
  zip: text("Postal code of the bank; empty if not known."),
  location: text("Town of the bank; empty if not known."),
};

/** Properties by name; a `?` at the end of a name marks one that may be absent. */
type Properties = Readonly<Record<string, object>>;

export function objectOf(properties: Properties) {
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name.replace("?", ""), schema] as const,
  );
  const required = Object.keys(properties).filter((name) => !name.endsWith("?"));
  return { type: "object", properties: Object.fromEntries(entries), required };
}

export const part = (description: string, properties: Properties) => ({
  description,
  ...objectOf(properties),
});

/** An object with the name of its component in OpenAPI. */
export const component = (title: string, description: string, properties: Properties) => ({
  title,
  ...part(description, properties),
});

/** An answer of these data with its status. */
export const answerOf = (title: string, description: string, status: object, data: Properties) =>
  component(title, description, { status, message: sentence, data: objectOf(data) });

const messageSchema = component("Message", "A sentence for programs.", {
  id: text("Identifies the sentence; further ids may be added."),
  "params?": {
    type: "object",
    description: "Values of the sentence's parameters, if it has any.",
    additionalProperties: textOrNumber,
  },
});

export const messagesSchema = (description: string) => someOf(messageSchema, description);

const httpStatuses = new Set<number>(Object.values(errorCatalogue).map((entry) => entry.http_status));

/** The `error` object of every error answer and of a batch entry that is not an IBAN. */
export const errorObjectSchema = component("ErrorObject", "What was wrong.", {
  http_status: enumOf([...httpStatuses].sort(), "The HTTP status of the answer."),
  code: enumOf(Object.keys(errorCatalogue), "The error for programs."),
  message: { ...text("The error for people; may be more precise than the example."), minLength: 1 },
  "field?": text("The input field at fault, if there is one."),
  "messages?": messagesSchema("The message by id; only with explain=1."),
});

/** The answer to every request that is refused or fails. Source: interface specification, section "Errors". */
export const errorSchema = component("ErrorAnswer", "The form of every error.", { error: errorObjectSchema });
