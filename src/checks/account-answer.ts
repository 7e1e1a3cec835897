import { BLZ_LENGTH, KONTONUMMER_LENGTH } from "../banking/germany/account.ts";
import {
  type GeneratedIban,
  generateIban,
  type RefusalReason,
} from "../banking/germany/iban-rules/generate.ts";
import { checkByMethod, type MethodVerdict } from "../banking/germany/methods.ts";
import { noSepaMethods } from "../banking/sepa.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import type { BankRecord, DirectoryEdition } from "../banks/directory/record.ts";
import { germanRuleBank } from "../banks/directory/rule-bank.ts";
import type { CheckEntry } from "../contract/check-entry.ts";
import { textOf } from "../contract/message.ts";
import { type AccountOutcome, accountOutcomes } from "../contract/status.ts";
import {
  deletionSentence,
  explainCheckDigitMethod,
  explainDeletion,
  explainSepaSource,
} from "./explanation.ts";

/** What an account check is asked: digits only, the account number not zero. */
export interface AccountQuestion {
  readonly kontonummer: string;
  readonly blz: string;
  /** Generate the IBAN and give the SEPA methods too. */
  readonly sepa: boolean;
  /** Add `data.checks`. */
  readonly explain: boolean;
}

type Generation = ReturnType<typeof generateIban> | undefined;

const outcomeOfRefusal: Readonly<Record<RefusalReason, AccountOutcome>> = {
  check_digit: "account_not_convertible",
  not_convertible: "not_convertible",
  invalid_account: "account_not_convertible",
  deleted_blz: "deleted_bank_code",
  unknown_bank: "unknown_target_bank",
  unknown_rule: "unknown_rule",
};

const outcomeOfVerdict: Readonly<Record<MethodVerdict, AccountOutcome>> = {
  valid: "valid",
  invalid: "wrong_check_digit",
  unchecked: "no_check_digit",
  unknown_method: "unknown_method",
};

const outcomeOfGenerated: Readonly<Record<GeneratedIban["checkDigit"], AccountOutcome>> = {
  passed: "valid",
  waived: "valid",
  absent: "no_check_digit",
  unknown_method: "unknown_method",
};

/**
 * Checks a German account number with its bank code and gives the answer object, its fields in the specified order.
 *
 * Faults rank: malformed (2, 3, 4), unknown bank code (7), what cannot be checked or converted (8, 9), check digit (0).
 * With `sepa` the IBAN rule decides: it may replace account number, bank code and BIC, or do without the check digit.
 */
export function accountAnswer(directory: BankDirectory, question: AccountQuestion): object {
  const malformed = malformedOutcome(question);
  const index = malformed === undefined ? directory.findByBlz(Number(question.blz)) : -1;
  if (index < 0) return unknownBankAnswer(question, malformed ?? "unknown_bank_code");
  const bank = directory.record(index);
  const verdict = checkByMethod(bank.method ?? "", question.kontonummer, question.blz);
  const generation = question.sepa ? generate(directory, question) : undefined;
  const outcome = outcomeOf(verdict, generation);
  const generated = generation !== undefined && "iban" in generation ? generation : undefined;
  const target = targetBank(directory, bank, generated);
  const { status, message } = accountOutcomes[outcome];
  return {
    status,
    message: `${textOf({ id: message }, "en")}${replacementNote(generated)}${deletionNote(bank)}`,
    data: {
      iban: generated?.iban ?? null,
      bic: generated?.bic ?? bank.bic,
      kto: question.kontonummer,
      blz: question.blz,
      bank: bank.name,
      zip: bank.zip,
      location: bank.location,
      country: bank.country,
      ...(question.sepa ? { sepa_methods: generated === undefined ? noSepaMethods : target.sepa } : {}),
      ...(question.explain
        ? { checks: explainAccount(directory.edition, question, { bank, target }, generation) }
        : {}),
    },
  };
}

function malformedOutcome({ kontonummer, blz }: AccountQuestion): AccountOutcome | undefined {
  const accountMalformed = kontonummer.length > KONTONUMMER_LENGTH;
  if (blz.length === BLZ_LENGTH) return accountMalformed ? "account_malformed" : undefined;
  return accountMalformed ? "both_malformed" : "bank_code_malformed";
}

function unknownBankAnswer(question: AccountQuestion, outcome: AccountOutcome): object {
  const { status } = accountOutcomes[outcome];
  const message = textOf({ id: accountOutcomes[outcome].message }, "en");
  const failed: CheckEntry = {
    check: outcome === "unknown_bank_code" ? "bank_code" : "form",
    result: "failed",
    detail: message,
  };
  return {
    status,
    message,
    data: {
      iban: null,
      bic: null,
      kto: question.kontonummer,
      blz: question.blz,
      bank: "",
      zip: "",
      location: "",
      country: outcome === "unknown_bank_code" ? "DE" : "",
      ...(question.sepa ? { sepa_methods: noSepaMethods } : {}),
      ...(question.explain ? { checks: [failed] } : {}),
    },
  };
}

function generate(directory: BankDirectory, { blz, kontonummer }: AccountQuestion): Generation {
  return generateIban(blz, kontonummer, (code) => germanRuleBank(directory, code));
}

function outcomeOf(verdict: MethodVerdict, generation: Generation): AccountOutcome {
  if (generation === undefined) return outcomeOfVerdict[verdict];
  if ("iban" in generation) return outcomeOfGenerated[generation.checkDigit];
  return generation.error === "check_digit" && verdict === "invalid"
    ? "wrong_check_digit"
    : outcomeOfRefusal[generation.error];
}

/** The bank whose code stands in the IBAN, which counts for the SEPA methods: the rule may have replaced it. */
function targetBank(
  directory: BankDirectory,
  bank: BankRecord,
  generated: GeneratedIban | undefined,
): BankRecord {
  const target = generated === undefined ? -1 : directory.findByBlz(Number(generated.blz));
  return target < 0 ? bank : directory.record(target);
}

function replacementNote(generated: GeneratedIban | undefined): string {
  const replaced = (generated?.changes ?? [])
    .filter((change) => change !== "bic")
    .map((change) => (change === "blz" ? "bank code" : "account number"));
  if (replaced.length === 0) return "";
  return ` The bank's IBAN rule replaces the ${replaced.join(" and the ")} in the IBAN.`;
}

function deletionNote({ deleteMark, successor }: BankRecord): string {
  return deleteMark === true ? ` ${deletionSentence(successor)}` : "";
}

function explainAccount(
  edition: DirectoryEdition,
  question: AccountQuestion,
  { bank, target }: { readonly bank: BankRecord; readonly target: BankRecord },
  generation: Generation,
): readonly CheckEntry[] {
  const entries: CheckEntry[] = [
    { check: "form", result: "passed" },
    { check: "bank_code", result: "passed", detail: `${bank.name} (edition ${edition.german}).` },
    explainDeletion(bank),
    explainCheckDigitMethod(question.kontonummer, bank),
    explainRule(bank, generation),
  ];
  if (question.sepa) entries.push(explainSepaSource(target, edition));
  return entries;
}

function explainRule(bank: BankRecord, generation: Generation): CheckEntry {
  const check = "iban_rule";
  if (generation === undefined) {
    return { check, result: "not_applicable", detail: "No IBAN was asked for (sepa=1)." };
  }
  if (bank.rule === null) {
    return { check, result: "unknown", detail: textOf({ id: accountOutcomes.unknown_rule.message }, "en") };
  }
  const source = bank.ruleSource === "inferred" ? "inferred from comparable banks" : "published";
  const rule = `Rule ${bank.rule} (${source})`;
  if ("iban" in generation)
    return { check, result: "passed", detail: `${rule}.${replacementNote(generation)}` };
  const { message } = accountOutcomes[outcomeOfRefusal[generation.error]];
  return { check, result: "failed", detail: `${rule}. ${textOf({ id: message }, "en")}` };
}
