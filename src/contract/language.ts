/** The languages of the service; the first one is the default. */
export const languages = ["en", "de"] as const;

export type Language = (typeof languages)[number];

const regionNames = new Map<Language, Intl.DisplayNames>();

export function regionName(language: Language, code: string): string {
  const names = regionNames.get(language) ?? new Intl.DisplayNames(language, { type: "region" });
  regionNames.set(language, names);
  return names.of(code) ?? code;
}

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
  const asked = query === "" ? undefined : inQuery.exec(query)?.[1];
  return languages.find((language) => language === asked) ?? preferred(acceptLanguage);
}

function preferred(acceptLanguage: string): Language {
  const header = acceptLanguage.slice(0, maxPreferences);
  const found = known.get(header);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const spoken = qualitiesIn(header).flatMap(([tag, quality]) => {
    const primary = tag === "*" ? defaultLanguage : tag.split("-")[0];
    const language = languages.find((candidate) => candidate === primary);
    return language === undefined || quality <= 0 ? [] : [{ language, quality }];
  });
  spoken.sort((left, right) => right.quality - left.quality);
  const language = spoken[0]?.language ?? defaultLanguage;
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

/** Returns the quality, 0 to 1, that a header of preferences assigns to the first of the groups of names that it has. */
export function qualityOf(header: string, ...groups: readonly (readonly string[])[]): number {
  const stated = qualitiesIn(header);
  for (const names of groups) {
    const found = stated.filter(([name]) => names.includes(name));
    if (found.length > 0) return Math.max(...found.map(([, quality]) => quality));
  }
  return 0;
}
