import type { Message } from "../api-types.ts";
import { type Language, regionName } from "../language.ts";

/**
 * Sentences by id, in every language.
 *
 * Ids are part of the interface and keep their meaning; wording may improve. `{name}` is a parameter, `{name:region}` the
 * name of the country with that code.
 */
export type MessageTable = Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** Returns the sentence of a table with its parameters as `written` has them; undefined if it has none of this id. */
export function sentenceOf(
  table: MessageTable,
  { id, params }: Message,
  language: Language,
  written: (value: string) => string = (value) => value,
): string | undefined {
  const text = table[id]?.[language];
  if (params === undefined) return text;
  return text?.replace(/\{(\w+)(:region)?\}/g, (_, name: string, isRegion) => {
    const value = String(params[name]);
    return isRegion === undefined ? written(value) : regionName(language, value);
  });
}
