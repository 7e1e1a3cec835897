import { germanAccount } from "../../src/banking/germany/account.ts";
import { checkMethod, methodNames } from "../../src/banking/germany/methods.ts";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { readText } from "../../src/banking/reader/read-text.ts";
import type { BankDirectory } from "../../src/banks/directory/directory.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { BicIndex } from "../../src/banks/lookup/bics.ts";
import { BankSearch } from "../../src/banks/search/bank-search.ts";
import { plain } from "../../src/checks/answer.ts";
import { batchAnswer } from "../../src/checks/batch-answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { correct } from "../../src/suggest/correct.ts";
import { fillIn } from "../../src/suggest/fill-in.ts";
import { BankFilters } from "../../src/suggest/filters.ts";
import { IbanMix } from "../../test/support/iban-mix.ts";
import { KernelMemory } from "../../test/support/kernel-memory.ts";
import { loadShippedDirectory } from "../../test/support/shipped-directory.ts";

/** One micro bench: `work` does `operations` operations of its kind. */
export interface MicroCase {
  readonly name: string;
  readonly operations: number;
  readonly work: () => unknown;
}

/** The micro bench all others are measured by: native code of Node that no change of ours can speed up. */
export const yardstick = "JSON.parse of a batch";

const batchSize = 500;

/** Prepares all micro benches over the shipped data. Each works on a batch of different inputs in turn. */
export async function microCases(): Promise<readonly MicroCase[]> {
  const kernel = new KernelMemory(await loadShippedDirectory());
  const { directory } = kernel;
  const mix = new IbanMix(directory);
  const ibans = mix.take(batchSize);
  return [
    ...referenceCases(directory, ibans),
    ...searchCases(directory),
    methodCase(),
    ...batchCases(kernel, ibans),
    ...correctionCases(directory, mix.take(batchSize)),
  ];
}

function referenceCases(directory: BankDirectory, ibans: readonly string[]): readonly MicroCase[] {
  const national = ibanCountries.flatMap(({ example, nationalCheck }) =>
    nationalCheck === null ? [] : [{ iban: Buffer.from(example), nationalCheck }],
  );
  const german = ibans.filter((iban) => iban.startsWith("DE"));
  const codes = german.map((iban) => iban.slice(4, 12));
  return [
    {
      name: "form of an IBAN, in TypeScript",
      operations: ibans.length,
      work: () => ibans.reduce((sum, iban) => sum + checkForm(iban).length, 0),
    },
    {
      name: "national check digits, all countries",
      operations: national.length,
      work: () => national.filter(({ iban, nationalCheck }) => nationalCheck.matches(iban, 4)).length,
    },
    {
      name: "directory look-up by bank code",
      operations: codes.length,
      work: () => codes.reduce((sum, code) => sum + directory.findByCode("DE", code), 0),
    },
    {
      name: "German IBAN, all checks with the account's method, in TypeScript",
      operations: german.length,
      work: () => german.filter((iban) => checkIban(directory, iban).outcome === "valid"),
    },
  ];
}

function searchCases(directory: BankDirectory): readonly MicroCase[] {
  const search = new BankSearch(directory);
  const queries = [
    { name: "Volksbank" },
    { location: "Berlin" },
    { zip: "8" },
    { name: "a" },
    { name: "comerzbank" },
  ];
  return queries.map((query) => ({
    name: `search ${JSON.stringify(query)}`,
    operations: 1,
    work: () => search.find({ ...query, max: 10 }),
  }));
}

/** An account number by every check-digit method in turn. */
function methodCase(): MicroCase {
  const account = germanAccount("1234567890", "13051172");
  return {
    name: "check-digit methods, all of them",
    operations: methodNames.length,
    work: () => methodNames.filter((_, index) => checkMethod(index, account) === "valid"),
  };
}

/** A whole batch by the reference, by the kernel, and by what all are measured with. */
function batchCases(kernel: KernelMemory, ibans: readonly string[]): readonly MicroCase[] {
  const body = Buffer.from(JSON.stringify({ ibans }));
  const operations = ibans.length;
  const byReference = () => JSON.stringify(batchAnswer(kernel.directory, ibans, plain));
  return [
    { name: "batch answer in TypeScript", operations, work: byReference },
    { name: "batch answer by the kernel", operations, work: () => kernel.answer(body) },
    { name: yardstick, operations, work: () => JSON.parse(body.toString()) },
  ];
}

function correctionCases(directory: BankDirectory, ibans: readonly string[]): readonly MicroCase[] {
  const filters = new BankFilters({
    directory,
    bics: new BicIndex(directory),
    policy: defaultPolicy,
  });
  const wrong = ibans.filter((iban) => checkIban(directory, iban).outcome !== "valid");
  const invoice = `Rechnung 2026-0815, USt-IdNr. DE123456789\nIBAN: ${wrong[0]}, BIC: COBADEFFXXX\n`.repeat(
    10,
  );
  return [
    {
      name: "corrections of a wrong IBAN",
      operations: wrong.length,
      work: () => wrong.reduce((sum, text) => sum + correct(text, filters).found.length, 0),
    },
    {
      name: "three unreadable digits",
      operations: 1,
      work: () => fillIn("DE89370400440532?1?00?", filters, 50),
    },
    {
      name: "extraction, KB of an invoice",
      operations: invoice.length / 1_024,
      work: () => readText(invoice),
    },
  ];
}
