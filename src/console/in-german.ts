import { germanSentences } from "./german-sentences.ts";

interface Pattern {
  readonly english: RegExp;
  readonly german: string;
}

const patterns: readonly Pattern[] = germanSentences.map(([english, german]) => {
  const literal = english.split("{}").map((part) => part.replace(/[.()|]/g, "\\$&"));
  return { english: new RegExp(`^${literal.join("(.+?)")}(?: |$)`), german };
});

const countries = new Intl.DisplayNames("de", { type: "region" });
const country = /^[^.]+ \(([A-Z]{2})\)\.$/;

/** Gives in German what the service says in English; undefined where a sentence is not known. */
export function inGerman(english: string): string | undefined {
  const code = country.exec(english)?.[1];
  if (code !== undefined) return `${countries.of(code)} (${code}).`;
  const told: string[] = [];
  for (let rest = english; rest !== ""; ) {
    const found = patterns.find((pattern) => pattern.english.test(rest));
    const [sentence, ...kept] = found?.english.exec(rest) ?? [];
    if (found === undefined || sentence === undefined) return undefined;
    told.push(found.german.replace(/\{\}/g, () => kept.shift() ?? ""));
    rest = rest.slice(sentence.length);
  }
  return told.join(" ");
}
