import { germanAccount } from "../../src/banking/germany/account.ts";
import { checkMethod, methodNames } from "../../src/banking/germany/methods.ts";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { readText } from "../../src/banking/reader/read-text.ts";
import { defaultPolicy } from "../../src/banks/lookup/account-policy.ts";
import { bankSearch } from "../../src/banks/search/bank-search.ts";
import { plain } from "../../src/checks/answer.ts";
import { checkForm } from "../../src/checks/form-check.ts";
import { batchAnswer } from "../../src/checks/iban-answer.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import { correct } from "../../src/suggest/correct.ts";
import { fillIn } from "../../src/suggest/fill-in.ts";
import { IbanMix } from "../../test/support/iban-mix.ts";
import { KernelMemory } from "../../test/support/kernel-memory.ts";
import { loadShippedDirectory } from "../../test/support/shipped-directory.ts";

/** The micro bench all others are measured by: native code of Node that no change of ours can speed up. */
export const yardstick = "JSON.parse of a batch";

/** One micro bench: `work` does `operations` operations of its kind. */
export type MicroCase = readonly [name: string, operations: number, work: () => unknown];

const batchSize = 500;

/** Prepares all micro benches over the shipped data. Each works on a batch of different inputs in turn. */
export async function microCases(): Promise<readonly MicroCase[]> {
  const kernel = new KernelMemory(await loadShippedDirectory());
  const { directory } = kernel;
  const mix = new IbanMix(directory);
  const ibans = mix.take(batchSize);
  const body = Buffer.from(JSON.stringify({ ibans }));
  const german = ibans.filter((iban) => iban.startsWith("DE"));
  const codes = german.map((iban) => iban.slice(4, 12));
  const national = ibanCountries.flatMap(({ example, nationalCheck }) =>
    nationalCheck === null ? [] : [{ iban: Buffer.from(example), nationalCheck }],
  );
  const account = germanAccount("1234567890", "13051172");
  const search = bankSearch(directory);
  const filters = { directory, policy: defaultPolicy };
  const wrong = mix.take(batchSize).filter((iban) => checkIban(directory, iban).outcome !== "valid");
  const lines = `Rechnung 2026-0815, USt-IdNr. DE123456789\nIBAN: ${wrong[0]}, BIC: COBADEFFXXX\n`;
  const invoice = lines.repeat(10);
  const searches = [
    { name: "Volksbank" },
    { location: "Berlin" },
    { zip: "8" },
    { name: "a" },
    { name: "comerzbank" },
  ].map((query): MicroCase => {
    return [`search ${JSON.stringify(query)}`, 1, () => search({ ...query, max: 10 })];
  });
  return [
    [
      "form of an IBAN, in TypeScript",
      ibans.length,
      () => ibans.reduce((sum, iban) => sum + checkForm(iban).length, 0),
    ],
    [
      "national check digits, all countries",
      national.length,
      () => national.filter(({ iban, nationalCheck }) => nationalCheck.matches(iban, 4)).length,
    ],
    [
      "directory look-up by bank code",
      codes.length,
      () => codes.reduce((sum, code) => sum + directory.findByCode("DE", code), 0),
    ],
    [
      "German IBAN, all checks with the account's method, in TypeScript",
      german.length,
      () => german.filter((iban) => checkIban(directory, iban).outcome === "valid"),
    ],
    ...searches,
    [
      "check-digit methods, all of them",
      methodNames.length,
      () => methodNames.filter((_, index) => checkMethod(index, account) === "valid"),
    ],
    ["batch answer in TypeScript", batchSize, () => JSON.stringify(batchAnswer(directory, ibans, plain))],
    ["batch answer by the kernel", batchSize, () => kernel.answer(body)],
    [yardstick, batchSize, () => JSON.parse(body.toString())],
    [
      "corrections of a wrong IBAN",
      wrong.length,
      () => wrong.reduce((sum, text) => sum + correct(text, filters).found.length, 0),
    ],
    ["three unreadable digits", 1, () => fillIn("DE89370400440532?1?00?", filters, 50)],
    ["extraction, KB of an invoice", invoice.length / 1_024, () => readText(invoice)],
  ];
}
