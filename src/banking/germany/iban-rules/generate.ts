import ibanRules from "../../../../data/de-iban-rules.json" with { type: "json" };
import { composeIban } from "../../iban/compose.ts";
import { isBlz, isKontonummer, KONTONUMMER_LENGTH } from "../account.ts";
import { checkByMethod, type MethodVerdict } from "../methods.ts";
import { type BankOf, type Draft, type RuleBank, successorOf } from "./draft.ts";
import { mayWaive, originsOf, type Refusal, runStep, type Step, type StepOutcome } from "./steps.ts";

const rules: ReadonlyMap<string, readonly Step[]> = new Map(
  Object.entries(ibanRules.rules).map(([number, { steps }]) => [number, steps as unknown as Step[]]),
);

/**
 * Finds the steps of a rule by its code in the bank code file, with or without the version (`"000503"`, `"0005"`).
 *
 * The version does not matter: the newest known one is used. Undefined for a code that is unknown or malformed.
 */
export function stepsOfRule(code: string): readonly Step[] | undefined {
  return /^\d{4}(\d{2})?$/.test(code) ? rules.get(code.slice(0, 4)) : undefined;
}

/** A German IBAN and what it is made of, after the IBAN rule. */
export interface GeneratedIban {
  readonly iban: string;
  /** The BIC the rule states or the bank code file has for the resulting bank code; null if it has none. */
  readonly bic: string | null;
  /** The bank code in the IBAN. */
  readonly blz: string;
  /** The account number in the IBAN, ten digits. */
  readonly kontonummer: string;
  /** The rule code from the bank's record. */
  readonly rule: string;
  /** Verdict on the account number: `waived` if the rule accepts it without a test, `invalid` only for a caller that observes. */
  readonly checkDigit: MethodVerdict | "waived";
  /** Differences from the input or from the BIC of the given bank code, in this order. */
  readonly changes: readonly ("kontonummer" | "blz" | "bic")[];
}

/**
 * Generates the IBAN of a German account by the IBAN rule of its bank code.
 *
 * Takes an eight-digit bank code and an account number of 1 to 10 digits, not zero; others are
 * `unknown_bank` and `invalid_account`. `bankOf` answers for the bank code given and for the one a rule or a
 * successor leads to (`unknown_bank` where it has no facts that are needed). Rules 0000 to 0057 are applied
 * in their newest version regardless of the version in the code; a rule that is not known is `unknown_rule`, never
 * guessed.
 *
 * Where the bank's check-digit method is not known, the IBAN is generated and `checkDigit` says so, since
 * nothing speaks against the number; rules 0005 and 0020, whose result depends on the method, refuse instead
 * (`not_convertible`). A bank code removed from the file without a successor is `deleted_blz`.
 * With `observes` a wrong check digit refuses nothing, unless the rule needs the right one to choose between
 * two accounts.
 * Never throws for text input. Takes about a microsecond; allocates.
 *
 * Source: Deutsche Bundesbank, overview of the IBAN rules, edition of December 2016 with later changes.
 *
 * @example
 * generateIban("37040044", "532013000", () => ({ rule: "000503", method: "13", bic: "COBADEFFXXX" })).iban // → "DE89370400440532013000"
 */
export function generateIban(
  blz: string,
  kontonummer: string,
  bankOf: BankOf,
  observes = false,
): GeneratedIban | Refusal {
  if (!isKontonummer(kontonummer)) return { error: "invalid_account" };
  const given = kontonummer.padStart(KONTONUMMER_LENGTH, "0");
  const bank = isBlz(blz) ? bankOf(blz) : undefined;
  if (bank === undefined) return { error: "unknown_bank" };
  if (bank.removed === true && successorOf(bank) === undefined) return { error: "deleted_blz" };
  const code = bank.rule ?? "";
  const steps = stepsOfRule(code);
  if (steps === undefined) return { error: "unknown_rule" };

  const known: BankOf = (wanted) => (wanted === blz ? bank : bankOf(wanted));
  const draft = draftOf(blz, given, known, observes);
  let outcome: StepOutcome = "next";
  for (const step of steps) {
    outcome = runStep(step, draft);
    if (outcome !== "next") break;
  }
  if (typeof outcome === "object") return outcome;
  const reached = known(draft.blz);
  const checkDigit = findCheckDigit(outcome, draft, reached);
  if (typeof checkDigit === "object") return checkDigit;
  if (draft.bic === undefined && reached === undefined) return { error: "unknown_bank" };

  const generated = {
    bic: draft.bic ?? (reached?.bic || null),
    blz: draft.blz,
    kontonummer: draft.kontonummer,
  };
  const before = { bic: bank.bic || null, blz, kontonummer: given };
  return {
    iban: composeIban("DE", generated.blz + generated.kontonummer),
    ...generated,
    rule: code,
    checkDigit,
    changes: changeable.filter((field) => generated[field] !== before[field]),
  };
}

function draftOf(blz: string, kontonummer: string, bankOf: BankOf, observes = false): Draft {
  return { blz, kontonummer, bic: undefined, found: undefined, observes, bankOf };
}

const changeable = ["kontonummer", "blz", "bic"] as const;

function findCheckDigit(
  outcome: Exclude<StepOutcome, Refusal>,
  draft: Draft,
  reached: RuleBank | undefined,
): GeneratedIban["checkDigit"] | Refusal {
  if (draft.found === "invalid") return draft.found;
  if (outcome === "accept") return "waived";
  if (outcome === "fits") return "valid";
  if (reached === undefined) return { error: "unknown_bank" };
  const verdict = checkByMethod(reached.method ?? "", draft.kontonummer, draft.blz);
  if (verdict === "invalid") return draft.observes ? verdict : { error: "check_digit" };
  return draft.found ?? verdict;
}

/**
 * Returns the BIC that the IBAN rule of a bank code states for all its accounts; undefined where it leaves that to the bank
 * code file. The file may have another one: rule 0005 states COBADEFFXXX for 10040000, the file COBADEBBXXX.
 *
 * @example bicOfRule("10040000", { rule: "000503", method: "13", bic: "COBADEBBXXX" }) // → "COBADEFFXXX"
 */
export function bicOfRule(blz: string, bank: RuleBank): string | undefined {
  const draft = draftOf(blz, "", () => bank);
  for (const step of stepsOfRule(bank.rule ?? "") ?? []) if (step.do === "setBic") runStep(step, draft);
  return draft.bic;
}

/** The rules, by their first four digits, that accept some accounts without their check digit; all others never do. */
export const rulesThatWaive: readonly string[] = [...rules.keys()].filter((rule) =>
  rules.get(rule)!.some(mayWaive),
);

/**
 * Whether a bank's IBAN rule accepts this account number although its check digit is wrong, so that an IBAN that holds
 * it is valid although the check-digit method says otherwise (donation accounts and the like).
 *
 * Takes the eight-digit bank code and ten-digit account number of an IBAN. True exactly where `generateIban` makes them
 * of some number with `checkDigit: "waived"`. Some microseconds; meant for the rare number that fails its method.
 *
 * @example
 * isCheckDigitWaived("37040044", "0532013000", () => ({ rule: "000503", method: "13", bic: null })) // → false
 */
export function isCheckDigitWaived(blz: string, kontonummer: string, bankOf: BankOf): boolean {
  const draft = draftOf(blz, kontonummer, bankOf);
  const isGiven = (origin: string) => {
    const generated = generateIban(blz, origin, bankOf);
    const isSame = "iban" in generated && generated.blz === blz && generated.kontonummer === kontonummer;
    return isSame && generated.checkDigit === "waived";
  };
  const steps = stepsOfRule(bankOf(blz)?.rule ?? "") ?? [];
  return steps.some((step) => mayWaive(step) && originsOf(step, draft).some(isGiven));
}
