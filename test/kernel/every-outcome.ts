import { composeIban } from "../../src/banking/iban/compose.ts";
import { type IbanCountry, ibanCountries } from "../../src/banking/iban/registry.ts";
import { characterKinds } from "../../src/banking/iban/structure.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { withNationalCheckDigits } from "../support/iban-mix.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Makes IBANs that have every outcome of a check, and every reason and warning, without a roll of the dice: for each
 * country its example with a fault of each kind at each place where it can be, for all pairs of letters a number of that
 * country, and German accounts of which one of ten digits is right.
 */
export function everyOutcome(directory: BankDirectory): string[] {
  return [
    ...allPrefixes(),
    ...ibanCountries.map(({ example }) => `IBAN ${example}`),
    "CH0430000001234567890",
    ...ibanCountries.flatMap(faultsOf),
    ...ibanCountries.flatMap((country) => nationalFaultsOf(country)),
    ...germanAccounts(directory),
  ];
}

function allPrefixes(): string[] {
  return [...letters].flatMap((first) => [...letters].map((second) => `${first}${second}8937040044053201`));
}

/** Wrong length, check digits, and a misfit at each place of the structure. */
function faultsOf({ example, classes }: IbanCountry): string[] {
  const head = example.slice(0, 2);
  const bban = example.slice(4);
  const checkDigits = ["00", "01", "99", "A1", "1A", example.slice(2, 4) === "50" ? "51" : "50"];
  const misfits = [...bban].map((_, at) => {
    const isDigitAllowed = (characterKinds[digits.charCodeAt(0)]! & classes[at]!) !== 0;
    return [...bban].with(at, isDigitAllowed ? "A" : "0").join("");
  });
  return [
    example,
    example.slice(0, -1),
    `${example}0`,
    example.padEnd(60, "0"),
    example.toLowerCase(),
    ...checkDigits.map((pair) => head + pair + bban),
    ...misfits.map((text) => example.slice(0, 4) + text),
  ];
}

/** Each character of the BBAN replaced by another of its kind, the ISO check digits being right. */
function nationalFaultsOf(country: IbanCountry): string[] {
  const { code, example, classes } = country;
  const bban = example.slice(4);
  const changed = [...bban].map((character, at) => {
    const alphabet = digits.includes(character) ? digits : letters;
    const next = alphabet[(alphabet.indexOf(character) + 1) % alphabet.length]!;
    return composeIban(code, [...bban].with(at, next).join(""));
  });
  const unknownBank = Array.from(classes, (kinds) => ((kinds & 1) === 0 ? "Q" : "9")).join("");
  const right = withNationalCheckDigits(country, unknownBank);
  return [...changed, composeIban(code, unknownBank), composeIban(code, right)];
}

/** Of one bank for each check-digit method: ten accounts that differ in their last digit, and in their first. */
function germanAccounts(directory: BankDirectory): string[] {
  const banks = new Map<string | null, string>();
  for (let index = 0; index < directory.germanCount; index++) {
    const { main, method, bankCode, deleteMark } = directory.record(index);
    if (main) banks.set(`${method} ${deleteMark}`, bankCode);
  }
  return [...banks.values()].flatMap((blz) =>
    [...digits].flatMap((digit) => [
      composeIban("DE", `${blz}123456789${digit}`),
      composeIban("DE", `${blz}${digit}648489890`.padEnd(18, "0")),
    ]),
  );
}
