import registry from "../../data/iban-registry.json" with { type: "json" };
import type { Vectors } from "./read.ts";

const countries = registry.countries.map(({ code }) => code);
const location = ["FF", "2L", "Z9", "00"];
const branch = ["XXX", "A01", "999", "B2C"];
const party = ["ABCD", "ZZZZ", "QUUX"];

/** BICs of every country in the registry in all forms that ISO 9362 knows, and texts that miss the form in one place. */
export function bics(): Vectors["bic.ndjson"][] {
  const right = countries.flatMap((country, index) => {
    const short = `${party[index % 3]}${country}${location[index % 4]}`;
    return [short, `${short}${branch[index % 4]}`];
  });
  const vectors: Vectors["bic.ndjson"][] = right.map((bic) => ({ bic, valid: true }));
  const wrong = (bic: string, why: string) => vectors.push({ bic, valid: false, why });
  const whole = "ABCDDEFFXXX";
  for (let length = 0; length <= 13; length++) {
    if (length !== 8 && length !== 11) wrong(whole.padEnd(13, "X").slice(0, length), "length");
  }
  for (const mark of ["-", ".", "_", "Ä", "ß"]) {
    for (let at = 0; at < 8; at++)
      wrong(`${whole.slice(0, at)}${mark}${whole.slice(at + 1, 8)}`, "structure");
  }
  for (const country of ["D1", "1E", "12"]) wrong(`ABCD${country}FF`, "structure");
  for (const country of ["XX", "ZZ", "AA", "QQ", "UK", "EL"]) wrong(`ABCD${country}FF`, "country code");
  for (const bic of ["abcddeff", "abcdDEffxxx"]) {
    vectors.push({ bic, valid: true, why: "lower case, valid after folding" });
  }
  return vectors;
}

/** Each registry example with a BIC of its country, of another one, and of each territory whose banks use its IBANs. */
export function bicPairs(): Vectors["bic-iban-pairs.ndjson"][] {
  const aliases = Object.entries(registry.bicCountryAliases.map as Record<string, string>);
  return registry.countries.flatMap(({ code, example: iban }) => {
    const foreign = code === "CH" ? "AT" : "CH";
    const territories = aliases.filter(([, parent]) => parent === code).map(([territory]) => territory);
    return [
      { iban, bic: `ABCD${code}FF`, countryMatch: true },
      { iban, bic: `ABCD${foreign}2LXXX`, countryMatch: false },
      ...territories.map((territory) => ({ iban, bic: `ABCD${territory}FFXXX`, countryMatch: true })),
    ];
  });
}
