import { type Language, languages } from "./messages.ts";

const [defaultLanguage] = languages;
const inQuery = /(?:^|&)lang=([^&]*)/;
/** Headers already read: clients send few different ones. */
const known = new Map<string, Language>();
const maxKnown = 256;

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
  const found = known.get(acceptLanguage);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const language = negotiate(acceptLanguage);
  known.set(acceptLanguage, language);
  return language;
}

function negotiate(acceptLanguage: string): Language {
  let best: { readonly language: Language; readonly weight: number } = {
    language: defaultLanguage,
    weight: 0,
  };
  for (const range of acceptLanguage.toLowerCase().split(",")) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
    const primary = tag.split("-")[0];
    const language = tag === "*" ? defaultLanguage : languages.find((candidate) => candidate === primary);
    if (language !== undefined && weight > best.weight) best = { language, weight };
  }
  return best.language;
}
