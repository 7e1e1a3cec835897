import { isBlz, isKontonummer } from "../banking/germany/account.ts";
import { checkByMethod, type MethodVerdict } from "../banking/germany/methods.ts";
import { noSepaMethods } from "../banking/sepa.ts";
import { checkData } from "../banks/directory/check-records.ts";
import type { BankDirectory } from "../banks/directory/directory.ts";
import { errorBody, RequestError } from "../contract/errors.ts";
import { message } from "../contract/message.ts";
import { validate } from "../contract/schema/validate.ts";
import { type AccountOutcome, accountOutcomes } from "../contract/status.ts";
import { checkAccount, replacements } from "./account-check.ts";
import { type AnswerOptions, answer } from "./answer.ts";
import { deletionWarning } from "./bank-findings.ts";
import { suggestAccounts } from "./suggest-answer.ts";

/** The input of an account check: digits only, the account number not zero. */
interface AccountQuestion {
  readonly kontonummer: string;
  readonly blz: string;
  /** Generate the IBAN and return the SEPA methods too. */
  readonly sepa: boolean;
}

/** Returns the answer to an account check. */
export function accountAnswer(
  directory: BankDirectory,
  { kontonummer, blz, sepa }: AccountQuestion,
  options: AnswerOptions,
): object {
  const { outcome, bank, generated, checks } = checkAccount(directory, kontonummer, blz, sepa);
  const country = bank?.country ?? (outcome === "unknown_bank_code" ? "DE" : "");
  const iban = generated?.iban ?? null;
  const shown = bank === undefined ? undefined : { ...bank, bic: generated?.bic ?? bank.bic };
  const data = {
    ...checkData({ iban, kto: kontonummer, blz, country, bank: shown }),
    ...(sepa ? { sepa_methods: generated?.bank.sepa ?? noSepaMethods } : {}),
    ...(options.suggest !== undefined && isWrong(outcome)
      ? suggestAccounts(options.suggest, kontonummer, blz)
      : {}),
  };
  const messages = [
    message(accountOutcomes[outcome].message),
    ...replacements(generated),
    ...(bank === undefined ? [] : deletionWarning(bank)),
  ];
  return answer({ outcome: accountOutcomes[outcome], messages, data, checks }, options);
}

/** Whether a check found a fault in what was typed; what cannot be checked is not a fault. */
function isWrong(outcome: AccountOutcome): boolean {
  const { status } = accountOutcomes[outcome];
  return status !== 1 && status !== 8 && status !== 9;
}

/** A bank's method, and the lines of its accounts by the method's verdict: without an IBAN they differ in nothing else. */
interface KnownBank {
  readonly method: string | null;
  readonly lines: Map<MethodVerdict, string>;
}

/** By options and bank code; a directory never changes. */
const knownBanks = new WeakMap<BankDirectory, Map<string, KnownBank>>();

/**
 * Returns the answers to checks of many accounts as JSON, one a line: each as it would be alone, without `data.kto`, or
 * the body of the error. `texts` holds kontonummer and bank code in turn.
 *
 * About a microsecond an account of a bank that was met before; some 30 with `sepa` or `explain`.
 */
export function accountLines(
  directory: BankDirectory,
  texts: readonly unknown[],
  sepa: boolean,
  options: AnswerOptions,
): string {
  const isShared = !sepa && !options.explain && options.suggest === undefined;
  const known = isShared ? knownBanksOf(directory) : undefined;
  const prefix = `${options.language}${options.reason ? 1 : 0}`;
  const lines: string[] = [];
  for (let place = 0; place + 1 < texts.length; place += 2) {
    const [kontonummer, blz] = [String(texts[place]), String(texts[place + 1])];
    const write = () => lineOf(directory, kontonummer, blz, sepa, options);
    const bank =
      known !== undefined && isKontonummer(kontonummer)
        ? knownBank(known, prefix + blz, directory, blz)
        : undefined;
    lines.push(bank === undefined ? write() : sharedLine(bank, kontonummer, blz, write));
  }
  return lines.join("\n");
}

function sharedLine(
  { method, lines }: KnownBank,
  kontonummer: string,
  blz: string,
  write: () => string,
): string {
  const verdict = method === null ? "unknown_method" : checkByMethod(method, kontonummer, blz);
  let line = lines.get(verdict);
  if (line === undefined) {
    line = write();
    lines.set(verdict, line);
  }
  return line;
}

function knownBanksOf(directory: BankDirectory): Map<string, KnownBank> {
  let banks = knownBanks.get(directory);
  if (banks === undefined) {
    banks = new Map();
    knownBanks.set(directory, banks);
  }
  return banks;
}

/** Undefined for a bank code that is not known. */
function knownBank(
  banks: Map<string, KnownBank>,
  key: string,
  directory: BankDirectory,
  blz: string,
): KnownBank | undefined {
  const known = banks.get(key);
  if (known !== undefined || !isBlz(blz)) return known;
  const index = directory.findByBlz(Number(blz));
  if (index < 0) return undefined;
  const bank = { method: directory.record(index).method, lines: new Map() };
  banks.set(key, bank);
  return bank;
}

function lineOf(
  directory: BankDirectory,
  kontonummer: string,
  blz: string,
  sepa: boolean,
  options: AnswerOptions,
): string {
  try {
    validate("accountBody", { kontonummer, bankleitzahl: blz });
    const answer = accountAnswer(directory, { kontonummer, blz, sepa }, options);
    return JSON.stringify(answer, (key, value) => (key === "kto" ? undefined : value));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { language } = options;
    return JSON.stringify(errorBody(error.code, error.detail, { language, explain: false }));
  }
}
