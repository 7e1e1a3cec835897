import { fileURLToPath } from "node:url";
import { createGermanAccount, readBlz, readKontonummer } from "../../src/banking/germany/account.ts";
import { checkMethod, methodIndexOf } from "../../src/banking/germany/methods.ts";
import { checkIban } from "../../src/banking/iban/check.ts";
import { ibanCountries } from "../../src/banking/iban/registry.ts";
import { ibanRemainder } from "../../src/banking/mod97.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { loadShippedDirectory } from "../../src/banks/editions/load.ts";
import { BankSearch } from "../../src/banks/search/bank-search.ts";
import { AnswerBytes } from "../../src/checks/answer-bytes.ts";
import { writeBatchEntry, writeBatchHead, writeBatchTail } from "../../src/checks/batch-answer.ts";
import { IbanChecker } from "../../src/checks/iban-checker.ts";
import { IbanMix } from "../iban-mix.ts";

/** One micro bench: `work` does `operations` operations of its kind. */
export interface MicroCase {
  readonly name: string;
  readonly operations: number;
  readonly work: () => unknown;
}

/** One check-digit method of each family of `data/de-check-methods.json`. */
const methodFamilies = {
  luhn: "00",
  m10: "01",
  m11: "06",
  "iterated transformation": "29",
  "two variants": "63",
  "range test": "99",
  ESER: "52",
  "step by step": "87",
} as const;

const batchSize = 500;

/** Prepares all micro benches over the shipped data. Each works on a batch of different inputs in turn. */
export async function microCases(): Promise<readonly MicroCase[]> {
  const data = fileURLToPath(new URL("../../data", import.meta.url));
  const directory = new BankDirectory(await loadShippedDirectory(data));
  const mix = new IbanMix(directory);
  const ibans = mix.take(batchSize);
  const encoded = ibans.map((iban) => Buffer.from(iban));
  return [
    ...ibanCases(encoded),
    ...lookupCases(directory, encoded),
    ...methodCases(),
    ...answerCases(directory, ibans),
  ];
}

function ibanCases(ibans: readonly Buffer[]): readonly MicroCase[] {
  const examples = ibanCountries.map(({ example }) => Buffer.from(example));
  const each =
    (work: (iban: Buffer) => number, over = ibans) =>
    () =>
      over.reduce((sum, iban) => sum + work(iban), 0);
  const national = examples.flatMap((iban, index) => {
    const { nationalCheck } = ibanCountries[index]!;
    return nationalCheck === null ? [] : [{ iban, nationalCheck }];
  });
  return [
    {
      name: "ISO 7064 mod 97",
      operations: ibans.length,
      work: each((iban) => ibanRemainder(iban, 0, iban.length)),
    },
    {
      name: "structure and mod 97",
      operations: ibans.length,
      work: each((iban) => checkIban(iban, 0, iban.length)),
    },
    {
      name: "structure and mod 97, all countries",
      operations: examples.length,
      work: each((iban) => checkIban(iban, 0, iban.length), examples),
    },
    {
      name: "national check digits, all countries",
      operations: national.length,
      work: () => national.filter(({ iban, nationalCheck }) => nationalCheck.matches(iban, 4)).length,
    },
  ];
}

function lookupCases(directory: BankDirectory, ibans: readonly Buffer[]): readonly MicroCase[] {
  const codes = ibans.filter((iban) => iban[0] === 68).map((iban) => Number(iban.toString("latin1", 4, 12)));
  const german = ibans.filter((iban) => iban[0] === 68);
  const checker = new IbanChecker(directory);
  const search = new BankSearch(directory);
  const queries = [
    { name: "Volksbank" },
    { location: "Berlin" },
    { zip: "8" },
    { name: "a" },
    { name: "comerzbank" },
  ];
  return [
    {
      name: "directory look-up by bank code",
      operations: codes.length,
      work: () => codes.reduce((sum, code) => sum + directory.findByBlz(code), 0),
    },
    {
      name: "German IBAN, all checks with the account's method",
      operations: german.length,
      work: () => german.reduce((sum, iban) => sum + checker.check(iban, 0, iban.length), 0),
    },
    ...queries.map((query) => ({
      name: `search ${JSON.stringify(query)}`,
      operations: 1,
      work: () => search.find({ ...query, max: 10 }),
    })),
  ];
}

function methodCases(): readonly MicroCase[] {
  return Object.entries(methodFamilies).map(([family, method]) => {
    const index = methodIndexOf(method);
    const accounts = Array.from({ length: 100 }, (_, number) => {
      const account = createGermanAccount();
      readKontonummer(account, String(1_234_567_890 + number * 71_234_567).slice(-10));
      readBlz(account, "13051172");
      return account;
    });
    return {
      name: `check-digit method ${method} (${family})`,
      operations: accounts.length,
      work: () => accounts.reduce((sum, account) => sum + checkMethod(index, account), 0),
    };
  });
}

function answerCases(directory: BankDirectory, ibans: readonly string[]): readonly MicroCase[] {
  const checker = new IbanChecker(directory);
  const answer = new AnswerBytes();
  const output = Buffer.alloc(1_048_576);
  const texts = ibans.map((iban) => Buffer.from(iban));
  const body = Buffer.from(JSON.stringify({ ibans }));
  return [
    {
      name: "batch answer written in TypeScript",
      operations: ibans.length,
      work: () => {
        answer.open(output);
        writeBatchHead(answer, texts.length);
        texts.forEach((text, index) => {
          writeBatchEntry(answer, checker, text, 0, text.length, index === 0);
        });
        writeBatchTail(answer);
      },
    },
    { name: "JSON.parse of a batch", operations: ibans.length, work: () => JSON.parse(body.toString()) },
  ];
}
