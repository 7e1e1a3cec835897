import type { Language } from "./language.ts";
import { sentenceOf } from "./messages/message-table.ts";
import { messages } from "./messages/messages.ts";

export type MessageId = keyof typeof messages;

type Texts<Id extends MessageId> = (typeof messages)[Id][Language];
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Base}:${string}` ? Base : Name) | Names<Rest>
  : never;

type ParamsOf<Id extends MessageId> = Readonly<Record<Names<Texts<Id>>, string | number>>;

/** A sentence as programs see it: its id, and its parameters if it has any. */
export interface Message {
  readonly id: MessageId;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Returns a message; the compiler demands the parameters that its texts name. */
export function message<Id extends MessageId>(
  id: Id,
  ...[params]: keyof ParamsOf<Id> extends never ? [] : [ParamsOf<Id>]
): Message {
  return params === undefined ? { id } : { id, params };
}

/**
 * Returns a message, or several as one paragraph, in a language: `textOf(message("rule_published", { rule: "0033" }), "en")`
 * is `Rule 0033 (published).`
 */
export function textOf(said: Message | readonly Message[], language: Language): string {
  if ("id" in said) return sentenceOf(messages, said, language)!;
  return said.map((one) => textOf(one, language)).join(" ");
}
