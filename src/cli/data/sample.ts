import { once } from "node:events";
import { ibanCountries, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { BankDirectory } from "../../banks/directory/directory.ts";
import { dataFolderOf } from "../../banks/editions/data-folder.ts";
import { berlinDay } from "../../banks/editions/days.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import type { AccountPolicy } from "../../banks/lookup/account-policy.ts";
import { ModulusEdition, packModulus } from "../../banks/lookup/modulus-edition.ts";
import { composeAnswer } from "../../checks/compose-answer.ts";
import { samples } from "../../checks/sample-answer.ts";
import type { ComposedIbanAnswer } from "../../client/api-types.ts";
import { RequestError } from "../../contract/errors.ts";
import type { Language } from "../../contract/language.ts";
import { message, textOf } from "../../contract/message.ts";
import { readSettings } from "../../settings.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";
import { stateSettings } from "../state-options.ts";

/** How an IBAN is composed. */
export interface ComposeOptions {
  readonly branch?: string;
  readonly lang?: Language;
  readonly json?: boolean;
}

/** Composes an IBAN and writes it. */
export async function compose(
  country: string,
  bankCode: string,
  account: string,
  { branch, lang = "en", json }: ComposeOptions,
): Promise<void> {
  const { observeAccounts } = readSettings([], process.env, ["observeAccounts"]);
  const { directory, policy } = await loadNumbers(observeAccounts.split(","));
  const question = { country, bank_code: bankCode, branch_code: branch ?? null, account };
  const answer = answerOf(() => composeAnswer(directory, question, policy, lang));
  const { status, message, data } = answer as ComposedIbanAnswer;
  if (json) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  else if (data.iban !== null) process.stdout.write(`${data.iban}\n`);
  if (status !== 1) throw new CommandFailure(message, exitCodes.notValid.code);
  if (json) return;
  if (data.checks.some(({ result }) => result === "failed")) process.stderr.write(`${message}\n`);
  if (data.not_checked.length > 0) process.stderr.write(`Not checked: ${data.not_checked.join(", ")}.\n`);
}

function answerOf(make: () => object): object {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new CommandFailure(error.message);
  }
}

/** Which test numbers are made. */
export interface SampleOptions {
  readonly count: number;
  readonly country?: string;
  readonly seed: string;
}

const rowsAtOnce = 1_000;

/** Writes test numbers; the column `genuine` marks each as made up. */
export async function sample({ count, country: code, seed }: SampleOptions): Promise<void> {
  const country = code === undefined ? undefined : ibanCountryByCode(code.toUpperCase());
  if (code !== undefined && country === undefined) {
    throw new CommandFailure(`${code} is not a country of the IBAN registry.`);
  }
  // Every test number passes all checks.
  const { directory, policy } = await loadNumbers([]);
  const sources = (country === undefined ? ibanCountries : [country]).map((each) =>
    samples(directory, each, seed, policy),
  );
  process.stdout.write("iban,bic,bank,genuine\n");
  for (let done = 0; done < count; ) {
    const rows: string[] = [];
    for (; done < count && rows.length < rowsAtOnce; done++) {
      const made = sources[done % sources.length]!.next().value;
      if (made === undefined) throw new CommandFailure(textOf(message("samples_none"), "en"));
      const { iban, bank } = made;
      rows.push(`${iban},${bank?.bic ?? ""},"${(bank?.name ?? "").replaceAll('"', '""')}",false\n`);
    }
    if (!process.stdout.write(rows.join(""))) await once(process.stdout, "drain");
  }
}

async function loadNumbers(
  observed: readonly string[],
): Promise<{ readonly directory: BankDirectory; readonly policy: AccountPolicy }> {
  const loaded = await loadBankData(dataFolderOf(stateSettings({})), berlinDay(Date.now()));
  return {
    directory: new BankDirectory(loaded.directory),
    policy: { weights: new ModulusEdition(packModulus(loaded.modulus)), observed },
  };
}
