import type { BankSources, MetricsAnswer, SepaMethods } from "../contract/api-types.ts";
import type { Language } from "../contract/language.ts";
import bankWords from "./banks/words.json" with { type: "json" };
import batchWords from "./batch/words.json" with { type: "json" };
import checkWords from "./check/words.json" with { type: "json" };
import poolWords from "./pool/words.json" with { type: "json" };
import referenceWords from "./reference/words.json" with { type: "json" };
import serviceWords from "./service/words.json" with { type: "json" };
import pageWords from "./words.json" with { type: "json" };

/** The language of the page: texts, numbers and dates are in it when they are read. */
export let language: Language = "en";

/** The language as `Intl` writes numbers and dates in it. */
export let locale = "en-GB";

/** Changes the language of the page; what is shown already has to be shown again. */
export function setLanguage(chosen: Language): void {
  language = chosen;
  locale = chosen === "de" ? "de-DE" : "en-GB";
}

/** The texts of a table, `words.json`, in which each id has its English and its German text, or one for both. */
type Texts<Words> = { readonly [Id in keyof Words]: Words[Id] extends string[] ? string : Texts<Words[Id]> };

/** Returns the texts of a table, each in the language of the page when it is read. */
function textsOf<Words extends object>(words: Words): Texts<Words> {
  const texts = Object.entries(words).map(([id, entry]) => {
    const inner = Array.isArray(entry) ? undefined : textsOf(entry);
    const text = () => inner ?? entry[language === "de" ? 1 : 0] ?? entry[0];
    return [id, { enumerable: true, get: text }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(texts)) as Texts<Words>;
}

/** The texts of the page around its views, and those that several views share; elements name theirs in `data-text`. */
export const pageTexts = textsOf(pageWords);

export const checkTexts = textsOf({ ...pageWords, ...checkWords });
export const batchTexts = textsOf({ ...pageWords, ...batchWords });
export const bankTexts = textsOf({ ...pageWords, ...bankWords });
export const poolTexts = textsOf({ ...pageWords, ...poolWords });
export const serviceTexts = textsOf({ ...pageWords, ...serviceWords });
export const referenceTexts = textsOf({ ...pageWords, ...referenceWords });

/** Names the SEPA schemes that a bank takes part in. */
export function schemeNames(methods: SepaMethods): string {
  const offered = (["sct", "sdd", "b2b", "scc"] as const).filter((scheme) => methods[scheme] === 1);
  return offered.map((scheme) => pageTexts[scheme]).join(", ") || pageTexts.sepaNone;
}

/** Names the reason of a verdict; undefined for none, and for one of a service that is newer than the page. */
export function reasonText(reason: string | null | undefined): string | undefined {
  return (batchTexts.reasons as Readonly<Record<string, string>>)[reason ?? ""];
}

/** Replaces `{name}` in a text by values. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** Writes a day given as `2026-09-07`, or a month as `2026-09`; anything else as it is. */
export function dateOf(day: string): string {
  if (!/^\d{4}-\d\d(-\d\d)?$/.test(day)) return day;
  const isMonth = day.length === "2026-09".length;
  const form = isMonth ? ({ month: "short", year: "numeric" } as const) : ({ dateStyle: "medium" } as const);
  return new Date(day).toLocaleDateString(locale, { ...form, timeZone: "UTC" });
}

/** Writes the time of day of a moment, in seconds since 1970. */
export function timeOf(at: number, withSeconds = true): string {
  const timeStyle = withSeconds ? "medium" : "short";
  return new Date(at * 1_000).toLocaleTimeString(locale, { timeStyle });
}

/** Writes the day and the time of a moment, in milliseconds since 1970 or in ISO 8601. */
export function momentOf(at: number | string, dateStyle: "short" | "medium" | "long"): string {
  return new Date(at).toLocaleString(locale, { dateStyle, timeStyle: "short" });
}

/** Says which edition of the German list is loaded, and how old it is. */
export function editionText({ edition, age_days: age }: MetricsAnswer["data"]): string {
  if (edition === "") return pageTexts.noEdition;
  if (age === null) return dateOf(edition);
  const days = age.toLocaleString(locale, { style: "unit", unit: "day", unitDisplay: "long" });
  return filled(pageTexts.edition, { edition: dateOf(edition), age: days });
}

/** Says which list states a fact of a bank, and of what date; empty where none does. */
export function sourceText(source: BankSources["name"] | undefined): string {
  if (!source) return "";
  const { bundesbank, dataset, undated } = bankTexts;
  const name = source.list === "blz" ? bundesbank : filled(dataset, { dataset: source.list });
  return `${name}, ${source.edition ? dateOf(source.edition) : undated}`;
}

export type Unit = "perSecond" | "milliseconds" | "requests" | "share" | "megabytes";

/** How `Intl` writes each unit; requests per second have no unit of their own. */
const forms: Readonly<Partial<Record<Unit, Intl.NumberFormatOptions>>> = {
  milliseconds: { style: "unit", unit: "millisecond" },
  share: { style: "percent", maximumFractionDigits: 1 },
  megabytes: { style: "unit", unit: "megabyte", maximumFractionDigits: 0 },
};

/** Writes a value with its unit, to about three digits; a dash if there is none. */
export function quantity(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined) return "–";
  const digits =
    value >= 100_000
      ? ({ notation: "compact", maximumSignificantDigits: 3 } as const)
      : { maximumFractionDigits: value >= 100 ? 0 : value >= 10 ? 1 : 2 };
  const written = value.toLocaleString(language, { ...digits, ...forms[unit] });
  return written + (unit === "perSecond" ? "/s" : "");
}
