import bankWords from "./banks/words.json" with { type: "json" };
import batchWords from "./batch/words.json" with { type: "json" };
import checkWords from "./check/words.json" with { type: "json" };
import poolWords from "./pool/words.json" with { type: "json" };
import referenceWords from "./reference/words.json" with { type: "json" };
import serviceWords from "./service/words.json" with { type: "json" };
import pageWords from "./words.json" with { type: "json" };

/** A language of the page. */
export type Language = "de" | "en";

/** Texts that are the same things in every language. */
type Texts<Words> = Readonly<Record<Language, Readonly<Words>>>;

/** The texts of the page around its views, and those that several views share; elements name theirs in `data-text`. */
export const texts: Texts<typeof pageWords.en> = pageWords;

/** The texts of a view, and those that it shares with others. */
function withShared<Words>(own: Texts<Words>): Texts<typeof pageWords.en & Words> {
  return { en: { ...texts.en, ...own.en }, de: { ...texts.de, ...own.de } };
}

export const checkTexts = withShared(checkWords);
export const batchTexts = withShared(batchWords);
export const bankTexts = withShared(bankWords);
export const poolTexts = withShared(poolWords);
export const serviceTexts = withShared(serviceWords);
export const referenceTexts = withShared(referenceWords);

/** The texts of one view in one language. */
export type CheckWords = typeof checkTexts.en;
export type BankWords = typeof bankTexts.en;
export type PoolWords = typeof poolTexts.en;
export type ServiceWords = typeof serviceTexts.en;
export type ReferenceWords = typeof referenceTexts.en;

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
