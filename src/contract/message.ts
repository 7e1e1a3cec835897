import { type Language, languages, sentenceOf } from "./check-messages.ts";
import { messages } from "./messages.ts";

/** An id of the table of messages. */
export type MessageId = keyof typeof messages;

type Texts<Id extends MessageId> = (typeof messages)[Id][Language];
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Base}:${string}` ? Base : Name) | Names<Rest>
  : never;

/** The parameters that the texts of a message name. */
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

/** The checks that may be made, by the names that `data.checks` has; further ones may come. */
export const checkNames = [
  "spelling",
  "country",
  "length",
  "structure",
  "iso_check_digits",
  "form",
  "bank_code",
  "bank_code_deletion",
  "check_digit_method",
  "national_check_digits",
  "uk_modulus",
  "currency",
  "qr_iban",
  "iban_rule",
  "bic",
  "sepa_methods",
] as const;

/** Name of a check. */
export type CheckName = (typeof checkNames)[number];

/** Results of one check: `unknown` if it could not be made, for lack of data or because an earlier check failed. */
export const checkResults = ["passed", "failed", "not_applicable", "unknown"] as const;

/** One of the results. */
export type CheckResult = (typeof checkResults)[number];

const [defaultLanguage] = languages;
const inQuery = /(?:^|&)lang=([^&]*)/;
/** Headers already read: clients send few different ones. */
const known = new Map<string, Language>();
const maxKnown = 256;

/** How much of a header of preferences is read, in characters: all of a long one would hold up other requests. */
const maxPreferences = 512;

/**
 * Returns the language to answer in: `lang` of the query where it names one, else the one that `Accept-Language` prefers
 * (RFC 9110, section 12.5.4), else English.
 */
export function languageOf(query: string, acceptLanguage: string): Language {
  if (query !== "") {
    const named = languages.find((language) => language === inQuery.exec(query)?.[1]);
    if (named !== undefined) return named;
  }
  return acceptLanguage === "" ? defaultLanguage : preferred(acceptLanguage);
}

function preferred(acceptLanguage: string): Language {
  const header = acceptLanguage.slice(0, maxPreferences);
  const found = known.get(header);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const language = negotiate(header);
  known.set(header, language);
  return language;
}

/**
 * Returns what a header of preferences names, in lower case, each with its quality from 0 to 1.
 *
 * Source: RFC 9110, section 12.4.2.
 */
export function qualitiesIn(header: string): readonly (readonly [name: string, quality: number])[] {
  const parts = header.slice(0, maxPreferences).split(",");
  return parts.map((part) => {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const quality = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1;
    return [name, Number(quality) || 0];
  });
}

function negotiate(acceptLanguage: string): Language {
  let best: { readonly language: Language; readonly weight: number } = {
    language: defaultLanguage,
    weight: 0,
  };
  for (const [tag, weight] of qualitiesIn(acceptLanguage)) {
    const primary = tag.split("-")[0];
    const language = tag === "*" ? defaultLanguage : languages.find((candidate) => candidate === primary);
    if (language !== undefined && weight > best.weight) best = { language, weight };
  }
  return best.language;
}
