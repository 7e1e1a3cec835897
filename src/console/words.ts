import type { BankSources, SepaMethods } from "../contract/api-types.ts";
import type { Language } from "../contract/language.ts";
import bankWords from "./banks/words.json" with { type: "json" };
import batchWords from "./batch/words.json" with { type: "json" };
import checkWords from "./check/words.json" with { type: "json" };
import poolWords from "./pool/words.json" with { type: "json" };
import referenceWords from "./reference/words.json" with { type: "json" };
import serviceWords from "./service/words.json" with { type: "json" };
import pageWords from "./words.json" with { type: "json" };

/** The texts of a table, `words.json`, in which each id has its English and its German text, or one for both. */
type Texts<Words> = { readonly [Id in keyof Words]: Words[Id] extends string[] ? string : Texts<Words[Id]> };

function textsIn<Words extends object>(words: Words, column: 0 | 1): Texts<Words> {
  const texts = Object.entries(words).map(([id, entry]) => [
    id,
    Array.isArray(entry) ? (entry[column] ?? entry[0]) : textsIn(entry, column),
  ]);
  return Object.fromEntries(texts) as Texts<Words>;
}

function inLanguages<Words extends object>(words: Words): Readonly<Record<Language, Texts<Words>>> {
  return { en: textsIn(words, 0), de: textsIn(words, 1) };
}

/** The texts of the page around its views, and those that several views share; elements name theirs in `data-text`. */
export const texts = inLanguages(pageWords);

export const checkTexts = inLanguages({ ...pageWords, ...checkWords });
export const batchTexts = inLanguages({ ...pageWords, ...batchWords });
export const bankTexts = inLanguages({ ...pageWords, ...bankWords });
export const poolTexts = inLanguages({ ...pageWords, ...poolWords });
export const serviceTexts = inLanguages({ ...pageWords, ...serviceWords });
export const referenceTexts = inLanguages({ ...pageWords, ...referenceWords });

/** The texts of one view in one language. */
export type CheckWords = typeof checkTexts.en;
export type BankWords = typeof bankTexts.en;
export type PoolWords = typeof poolTexts.en;
export type ServiceWords = typeof serviceTexts.en;
export type ReferenceWords = typeof referenceTexts.en;

/** Names the SEPA schemes that a bank takes part in. */
export function schemeNames(methods: SepaMethods, words: typeof texts.en): string {
  const offered = (["sct", "sdd", "b2b", "scc"] as const).filter((scheme) => methods[scheme] === 1);
  return offered.map((scheme) => words[scheme]).join(", ") || words.sepaNone;
}

/** How numbers and dates are written in a language. */
export const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

/** Replaces `{name}` in a text by values. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** Writes a day given as `2026-09-07`, or a month as `2026-09`; anything else as it is. */
export function dateOf(day: string, language: Language): string {
  const parts = day.split("-").length;
  if (!/^\d{4}-\d\d(-\d\d)?$/.test(day)) return day;
  const form =
    parts === 3 ? ({ dateStyle: "medium" } as const) : ({ month: "short", year: "numeric" } as const);
  return new Intl.DateTimeFormat(locales[language], { ...form, timeZone: "UTC" }).format(Date.parse(day));
}

/** Says which edition of the German list is loaded, and how old it is. */
export function editionText(
  { edition, age_days: age }: { readonly edition: string; readonly age_days: number | null },
  language: Language,
): string {
  const words = texts[language];
  if (edition === "") return words.noEdition;
  const date = dateOf(edition, language);
  return age === null ? date : filled(words.edition, { edition: date, age: new Numbers(language).days(age) });
}

/** Says which list states a fact of a bank, and of what date; empty where none does. */
export function sourceText(source: BankSources["name"] | undefined, language: Language): string {
  if (!source) return "";
  const words = bankTexts[language];
  const name = source.list === "blz" ? words.bundesbank : filled(words.dataset, { dataset: source.list });
  return `${name}, ${source.edition ? dateOf(source.edition, language) : words.undated}`;
}

export type Unit = "perSecond" | "milliseconds" | "requests" | "share" | "megabytes";

/** How `Intl` writes each unit; requests per second have no unit of their own. */
const forms: Readonly<Record<Unit, Intl.NumberFormatOptions>> = {
  perSecond: {},
  milliseconds: { style: "unit", unit: "millisecond" },
  requests: {},
  share: { style: "percent", maximumFractionDigits: 1 },
  megabytes: { style: "unit", unit: "megabyte", maximumFractionDigits: 0 },
};

/** Writes numbers, times and dates as a language does. */
export class Numbers {
  readonly language: Language;
  readonly #locale: string;

  constructor(language: Language) {
    this.language = language;
    this.#locale = locales[language];
  }

  /** A value with its unit, to about three digits; a dash if there is none. */
  value(value: number | null | undefined, unit: Unit): string {
    if (value === null || value === undefined) return "–";
    const isLong = value >= 100_000;
    const digits = isLong
      ? { notation: "compact" as const, maximumSignificantDigits: 3 }
      : { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2 };
    const form = new Intl.NumberFormat(this.language, { ...digits, ...forms[unit] });
    return form.format(value) + (unit === "perSecond" ? "/s" : "");
  }

  /** The time of day of a moment, in seconds since 1970. */
  time(at: number, withSeconds = true): string {
    return new Intl.DateTimeFormat(this.#locale, {
      hour: "2-digit",
      minute: "2-digit",
      ...(withSeconds ? { second: "2-digit" } : {}),
    }).format(at * 1_000);
  }

  days(days: number): string {
    const form = { style: "unit", unit: "day", unitDisplay: "long" } as const;
    return new Intl.NumberFormat(this.#locale, form).format(days);
  }

  /** The day and the time of a moment, in seconds since 1970. */
  moment(at: number): string {
    const form = { dateStyle: "short", timeStyle: "short" } as const;
    return new Date(at * 1_000).toLocaleString(this.#locale, form);
  }
}
