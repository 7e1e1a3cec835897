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
