import registry from "../../data/iban-registry.json" with { type: "json" };
import { ibanOf } from "../contract/iso-check-digits.ts";
import { type Random, randomOf } from "../support/random.ts";
import { words } from "../support/words.ts";
import type { Vectors } from "./read.ts";

// IBANs made from the registry's examples and structures by arithmetic on whole numbers: none of the code under test
// takes part, so that a slip there cannot hide in the vectors.

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const characters = { n: digits, a: letters, c: digits + letters } as const;
type CharacterClass = keyof typeof characters;

/** The registry's structure of a BBAN, character by character: `4!n2!a` is `nnnnaa`. */
function classesOf(structure: string): CharacterClass[] {
  return [...structure.matchAll(/(\d+)!([nac])/g)].flatMap(([, count, type]) =>
    Array<CharacterClass>(Number(count)).fill(type as CharacterClass),
  );
}

function replaced(text: string, at: number, character: string): string {
  return [...text].with(at, character).join("");
}

/** Another character of the same class. */
function other(character: string): string {
  const set = /\d/.test(character) ? digits : letters;
  return set[(set.indexOf(character) + 1) % set.length]!;
}

/** IBANs of every registered country, right and with every fault, and of every code that is not registered. */
export function ibans(): Vectors["iban.ndjson"][] {
  const random = randomOf(20260601);
  const vectors: Vectors["iban.ndjson"][] = [];
  for (const { code, example, bbanStructure, nationalCheck } of registry.countries) {
    const bban = example.slice(4);
    const classes = classesOf(bbanStructure);
    const wrong = (iban: string, why: string) => vectors.push({ iban, valid: false, why });
    vectors.push({ iban: example, valid: true });
    // Mauritius and Seychelles end in a currency, which letters by chance are not.
    if (nationalCheck === null && !bbanStructure.endsWith("3!a")) {
      for (let count = 0; count < 3; count++) {
        vectors.push({ iban: ibanOf(code, bbanOf(classes, random)), valid: true });
      }
    }
    const last = example.length - 1;
    wrong(replaced(example, last, other(example[last]!)), "mod97");
    wrong(replaced(example, 3, other(example[3]!)), "mod97");
    const pair = 4 + [...bban].findIndex((_, at) => /^(?!(.)\1)\d\d$/.test(bban.slice(at - 1, at + 1)));
    wrong(replaced(replaced(example, pair, example[pair - 1]!), pair - 1, example[pair]!), "mod97");
    wrong(example.slice(0, -1), "length");
    wrong(`${example}0`, "length");
    wrong(`${code}0${example.slice(2, -1)}${example.slice(4, 6)}`, "length");
    const digitAt = classes.indexOf("n");
    if (digitAt >= 0) wrong(ibanOf(code, replaced(bban, digitAt, "X")), "structure");
    const letterAt = classes.indexOf("a");
    if (letterAt >= 0) wrong(ibanOf(code, replaced(bban, letterAt, "7")), "structure");
    wrong(`${code}AB${bban}`, "check digits not two digits");
    wrong(`${code}4O${bban}`, "check digits not two digits");
    for (const outside of ["00", "01", "99"]) wrong(code + outside + bban, "check digits outside 02-98");
    // The three that the remainder alone would let pass, since 00, 01 and 99 leave what 97, 98 and 02 leave; in
    // countries with constant check digits no number has them.
    for (const [inside, outside] of Object.entries({ "97": "00", "98": "01", "02": "99" })) {
      for (let tries = 0; tries < 2_000; tries++) {
        const made = bbanOf(classes, random);
        if (ibanOf(code, made).slice(2, 4) !== inside) continue;
        wrong(code + outside + made, "check digits outside 02-98");
        break;
      }
    }
    wrong(replaced(example, 6, "_"), "characters");
  }
  for (const { code, ibanPrefix } of registry.territoryCodes) {
    const parent = registry.countries.find((country) => country.code === ibanPrefix)!;
    const why = "territory code, registry uses the parent prefix";
    vectors.push({ iban: ibanOf(code, parent.example.slice(4)), valid: false, why });
  }
  for (const { code, bbanStructure } of registry.experimental) {
    const bban = classesOf(bbanStructure).map(() => random(10));
    const why = "experimental country, not in the registry";
    vectors.push({ iban: ibanOf(code, bban.join("")), valid: false, why });
  }
  for (const code of ["ZZ", "XX", "AA", "US", "CA", "JP", "IN", "CN", "UK", "EL"]) {
    const iban = ibanOf(code, "370400440532013000");
    vectors.push({ iban, valid: false, why: "country not in the registry" });
  }
  for (const iban of words`
    8937040044053201300 D889370400440532013000 0DE89370400440532013000 12345678901234567
  `) {
    vectors.push({ iban, valid: false, why: "country code not two letters" });
  }
  for (const iban of ["DE89370400440532013-00", "DE8937040044053201300Ü", "DE89370400440532013OOO!"]) {
    vectors.push({ iban, valid: false, why: "characters" });
  }
  return vectors;
}

const bbanOf = (classes: readonly CharacterClass[], random: Random) =>
  classes.map((type) => characters[type][random(characters[type].length)]).join("");

/** Separators of groups: a blank, those that do not break, a tab, and signs. */
const separators = [..." \u00a0\u202f\t-."];

/** Printed forms of each registry example: with every separator, in small letters, and with spaces around. */
export function printedIbans(): object[] {
  return registry.countries.flatMap(({ example }, index) => {
    const fours = example.match(/.{1,4}/g)!;
    const separator = separators[index % separators.length]!;
    const forms = [fours.join(" "), fours.join(separator), fours.join(" ").toLowerCase(), `  ${example}\n`];
    return [...new Set(forms)].map((iban) => ({ iban, compact: example, validWhenCompacted: true }));
  });
}
