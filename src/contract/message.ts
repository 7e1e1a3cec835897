import { type Language, messages } from "./messages.ts";

/** An id of the table of messages. */
export type MessageId = keyof typeof messages;

type Texts<Id extends MessageId> = (typeof messages)[Id][Language];
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Base}:${string}` ? Base : Name) | Names<Rest>
  : never;

/** The parameters that the texts of a message name. */
type ParamsOf<Id extends MessageId> = Readonly<Record<Names<Texts<Id>>, string | number>>;

/** A sentence as programs see it: its id, and its parameters where it has any. */
export interface Message {
  readonly id: MessageId;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Makes a message; the compiler demands the parameters that its texts name. */
export function message<Id extends MessageId>(
  id: Id,
  ...[params]: keyof ParamsOf<Id> extends never ? [] : [ParamsOf<Id>]
): Message {
  return params === undefined ? { id } : { id, params };
}

const regionNames = new Map<Language, Intl.DisplayNames>();

function regionName(language: Language, code: string): string {
  const names = regionNames.get(language) ?? new Intl.DisplayNames(language, { type: "region" });
  regionNames.set(language, names);
  return names.of(code) ?? code;
}

/**
 * Returns a message, or several as one paragraph, in a language: `textOf(message("rule_published", { rule: "0033" }), "en")`
 * is `Rule 0033 (published).`
 */
export function textOf(told: Message | readonly Message[], language: Language): string {
  if ("id" in told) {
    return messages[told.id][language].replace(/\{(\w+)(:region)?\}/g, (_, name: string, isRegion) => {
      const value = String(told.params?.[name]);
      return isRegion === undefined ? value : regionName(language, value);
    });
  }
  return told.map((one) => textOf(one, language)).join(" ");
}
