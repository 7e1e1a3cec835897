import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../banking/germany/account.ts";
import { type GeneratedIban, generateIban } from "../banking/germany/iban-rules/generate.ts";
import type { RuleRefusalReason } from "../banking/germany/iban-rules/steps.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord } from "../banks/directory/record.ts";
import { defaultPolicy } from "../banks/lookup/account-policy.ts";
import { type Message, message } from "../contract/message.ts";
import { type AccountOutcome, accountOutcomes } from "../contract/status.ts";
import { type Finding, finding, outcomeOf } from "./answer.ts";
import { checkByBankMethod, checkDeletion, checkSepaSource } from "./bank-findings.ts";

type AccountFinding = Finding<AccountOutcome>;

/** The input of an account check: digits only, the account number not zero. */
export interface AccountQuestion {
  readonly kontonummer: string;
  readonly blz: string;
  /** Generate the IBAN and return the SEPA methods too. */
  readonly sepa: boolean;
}

/**
 * Checks a German account number with its bank code; `bank` is undefined where that is not known, `generated` unless an IBAN
 * was requested and may be generated. The first of the checks that has an outcome decided.
 *
 * Faults rank: malformed (2, 3, 4), unknown bank code (7), what cannot be checked or converted (8, 9), check digit (0).
 * With `sepa` the IBAN rule decides: it may replace account number, bank code and BIC, or do without the check digit; the
 * check-digit method is that of the account in the IBAN.
 * Where `policy` only observes German accounts, a wrong check digit is a warning.
 */
export function checkAccount(
  directory: BankDirectory,
  { kontonummer, blz, sepa }: AccountQuestion,
  policy = defaultPolicy,
) {
  const malformed = malformedOutcome(kontonummer, blz);
  if (malformed !== undefined) return refused("form", malformed);
  const bank = germanBank(directory, blz);
  if (bank === undefined) return refused("bank_code", "unknown_bank_code");
  const generation = sepa
    ? generateIban(blz, kontonummer, directory.ruleBank, policy.observed.includes("DE"))
    : undefined;
  const generated = generation !== undefined && "iban" in generation ? generation : undefined;
  // The rule may have replaced the bank code; the SEPA methods are those of the one in the IBAN.
  const target = (generated && germanBank(directory, generated.blz)) ?? bank;
  const method: AccountFinding = checkByBankMethod(
    generated?.kontonummer ?? kontonummer,
    target,
    policy,
    () => generated?.checkDigit === "waived",
  );
  // With an IBAN, its rule decides.
  const { outcome: ofMethod, warning: _, ...underRule } = method;
  const { edition } = directory;
  const checks: readonly AccountFinding[] = [
    finding("form", "passed"),
    finding("bank_code", "passed", message("bank_listed", { bank: bank.name, edition: edition.german })),
    checkDeletion(bank),
    sepa ? underRule : method,
    ruleCheck(bank, generation, ofMethod),
    ...(sepa ? [checkSepaSource("DE", target, edition)] : []),
  ];
  return {
    outcome: outcomeOf(checks),
    bank,
    generated: generated === undefined ? undefined : { ...generated, bank: target },
    checks,
  };
}

/** Returns what the IBAN rule replaced in an IBAN, as a message; none if it replaced nothing. */
export function replacements(generated: GeneratedIban | undefined): readonly Message[] {
  const isReplaced = (part: GeneratedIban["changes"][number]) => generated?.changes.includes(part) === true;
  if (isReplaced("blz")) {
    return [message(isReplaced("kontonummer") ? "rule_replaces_blz_and_account" : "rule_replaces_blz")];
  }
  return isReplaced("kontonummer") ? [message("rule_replaces_account")] : [];
}

function malformedOutcome(kontonummer: string, blz: string): AccountOutcome | undefined {
  const accountMalformed = kontonummer.length > KONTONUMMER_LENGTH;
  if (blz.length === BLZ_LENGTH) return accountMalformed ? "account_malformed" : undefined;
  return accountMalformed ? "both_malformed" : "bank_code_malformed";
}

function refused(check: AccountFinding["check"], outcome: AccountOutcome) {
  const checks = [finding(check, "failed", message(accountOutcomes[outcome].message), { outcome })];
  return { outcome, bank: undefined, generated: undefined, checks };
}

function germanBank(directory: BankDirectory, blz: string): BankRecord | undefined {
  const index = directory.findByCode("DE", blz);
  return index < 0 ? undefined : directory.record(index);
}

type Generation = ReturnType<typeof generateIban> | undefined;

const outcomeOfRefusal: Readonly<Record<RuleRefusalReason, AccountOutcome>> = {
  check_digit: "account_not_convertible",
  not_convertible: "not_convertible",
  invalid_account: "account_not_convertible",
  deleted_blz: "deleted_bank_code",
  unknown_bank: "unknown_target_bank",
  unknown_rule: "unknown_rule",
};

function ruleCheck(
  bank: BankRecord,
  generation: Generation,
  ofMethod: AccountOutcome | undefined,
): AccountFinding {
  const check = "iban_rule";
  if (generation === undefined) return finding(check, "not_applicable", message("rule_not_requested"));
  const decided = decidedBy(generation, ofMethod);
  const { rule, ruleSource } = bank;
  if (rule === null) return finding(check, "unknown", message("rule_unknown"), decided);
  const applied = message(ruleSource === "inferred" ? "rule_inferred" : "rule_published", { rule });
  if ("iban" in generation) {
    return finding(check, "passed", [applied, ...replacements(generation)], decided);
  }
  const refusal = message(accountOutcomes[decided.outcome!].message);
  return finding(check, "failed", [applied, refusal], decided);
}

function decidedBy(
  generation: NonNullable<Generation>,
  ofMethod: AccountOutcome | undefined,
): Pick<AccountFinding, "outcome" | "warning"> {
  if ("iban" in generation) {
    const { checkDigit } = generation;
    if (checkDigit === "invalid") return { warning: "account_check_digit" };
    if (checkDigit === "unchecked") return { outcome: "no_check_digit" };
    return checkDigit === "unknown_method" ? { outcome: checkDigit } : {};
  }
  const isCheckDigit = generation.error === "check_digit" && ofMethod === "wrong_check_digit";
  return { outcome: isCheckDigit ? ofMethod : outcomeOfRefusal[generation.error] };
}
