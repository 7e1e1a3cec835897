import type { OperationName } from "../routes.ts";
import type { Requests } from "../schema/request-schemas.ts";

/** A request that can be sent as it stands to a service with the shipped data. */
export interface RequestExample {
  /** Unique among all examples; its answer is found by it. */
  readonly name: string;
  readonly operation: OperationName;
  readonly summary: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Requests[
    | "accountBody"
    | "ibanBody"
    | "batchBody"
    | "suggestBody"
    | "extractBody"
    | "searchBody"];
}

const account = { kontonummer: "532013000", bankleitzahl: "37040044" } as const;
const iban = "DE89370400440532013000";

/** The examples of the OpenAPI document; what they are answered is in `answer-examples.json`. */
export const requestExamples = [
  {
    name: "account",
    operation: "checkAccountByPath",
    summary: "A valid account number",
    path: account,
  },
  {
    name: "accountWithIban",
    operation: "checkAccountByPath",
    summary: "A valid account number, with its IBAN",
    path: account,
    query: { sepa: "1" },
  },
  {
    name: "accountWithWrongCheckDigit",
    operation: "checkAccountByPath",
    summary: "A wrong check digit, with every check made",
    path: { ...account, kontonummer: "532014000" },
    query: { explain: "1" },
  },
  {
    name: "swappedAccount",
    operation: "checkAccountByPath",
    summary: "Account number and bank code in each other's place, with what was meant",
    path: { kontonummer: "37040044", bankleitzahl: "532013000" },
    query: { suggest: "1" },
  },
  {
    name: "postedAccount",
    operation: "checkAccountByBody",
    summary: "A valid account number, with its IBAN",
    body: { ...account, sepa: 1 },
  },
  {
    name: "postedAccountAtUnknownBank",
    operation: "checkAccountByBody",
    summary: "A bank code that does not exist",
    body: { ...account, bankleitzahl: "12345678" },
  },
  {
    name: "germanIban",
    operation: "checkIbanByPath",
    summary: "A valid German IBAN",
    path: { iban },
  },
  {
    name: "austrianIban",
    operation: "checkIbanByPath",
    summary: "A valid Austrian IBAN",
    path: { iban: "AT611904300234573201" },
  },
  {
    name: "ibanWithWrongCheckDigits",
    operation: "checkIbanByPath",
    summary: "Wrong check digits, with every check made",
    path: { iban: "DE88370400440532013000" },
    query: { explain: "1" },
  },
  {
    name: "ibanToCorrect",
    operation: "checkIbanByPath",
    summary: "A wrong digit, with what was meant",
    path: { iban: "DE89370400440532013001" },
    query: { suggest: "1" },
  },
  {
    name: "ibanAndItsBic",
    operation: "checkIbanAndBicByPath",
    summary: "The BIC belongs to the IBAN",
    path: { iban, bic: "COBADEFFXXX" },
  },
  {
    name: "ibanAndAnotherBic",
    operation: "checkIbanAndBicByPath",
    summary: "The BIC belongs to another bank",
    path: { iban, bic: "DEUTDEFFXXX" },
  },
  {
    name: "postedIban",
    operation: "checkIbanByBody",
    summary: "One IBAN as people write it, with a BIC",
    body: { iban: "DE89 3704 0044 0532 0130 00", bic: "COBADEFF" },
  },
  {
    name: "postedBatchToCorrect",
    operation: "checkIbanByBody",
    summary: "A batch, with what its wrong entries were meant to be",
    query: { suggest: "1" },
    body: { ibans: ["DE89370400440532O13OOO", "GB29NWBK60161331926891"] },
  },
  {
    name: "postedBatch",
    operation: "checkIbanByBody",
    summary: "A batch, with an entry that is not an IBAN",
    body: { ibans: [iban, "gb29 nwbk 6016 1331 9268 19", "DE89 3704"] },
  },
  {
    name: "postedLenientBatch",
    operation: "checkIbanByBody",
    summary: "A batch as people write it, with the word IBAN and separators",
    query: { lenient: "1" },
    body: { ibans: ["IBAN: DE89-3704-0044-0532-0130-00"] },
  },
  {
    name: "unreadableIban",
    operation: "suggest",
    summary: "Two unreadable characters",
    body: { iban: "DE89 3704 ?044 05?2 0130 00", max: 5 },
  },
  {
    name: "wrongIban",
    operation: "suggest",
    summary: "Two neighbours in each other's place",
    body: { iban: "GB29 NWBK 6016 1331 9268 91" },
  },
  {
    name: "invoice",
    operation: "extract",
    summary: "Part of an invoice, with a wrong digit in the IBAN",
    body: {
      text: "Invoice 2026-0815, VAT no. DE123456789\nIBAN: DE89 3704 0044 0532 0130 01, BIC COBADEFFXXX",
    },
  },
  {
    name: "postedBatchWithReasons",
    operation: "checkIbanByBody",
    summary: "Why entries of a batch are not valid",
    query: { reason: "1" },
    body: { ibans: ["DE88370400440532013000", "DE8937040044053201300", "GB29NWBK60161331926819"] },
  },
  {
    name: "postedBatchExplained",
    operation: "checkIbanByBody",
    summary: "Every check made on an entry of a batch",
    query: { reason: "1", explain: "1" },
    body: { ibans: ["DE88370400440532013000"] },
  },
  {
    name: "ibanWithReason",
    operation: "checkIbanByPath",
    summary: "Why an IBAN is not valid",
    path: { iban: "DE89370400440532014000" },
    query: { reason: "1" },
  },
  {
    name: "accountWithReason",
    operation: "checkAccountByPath",
    summary: "Why an account number is not valid",
    path: { ...account, kontonummer: "532014000" },
    query: { reason: "1" },
  },
  { name: "ping", operation: "ping", summary: "The service is reachable" },
  { name: "testPing", operation: "testPing", summary: "The service is reachable" },
  {
    name: "search",
    operation: "searchByQuery",
    summary: "Banks of a name in a town",
    query: { name: "Commerzbank", location: "Köln", max: "2" },
  },
  {
    name: "postedSearch",
    operation: "searchByBody",
    summary: "The bank of a bank code",
    body: { bankleitzahl: "37040044", max: 1 },
  },
  {
    name: "postedSearchInVain",
    operation: "searchByBody",
    summary: "No bank is found",
    body: { name: "Commerzbank", zip: "00" },
  },
  {
    name: "searchAbroad",
    operation: "searchByQuery",
    summary: "Banks of a name in another country",
    query: { name: "UniCredit", country: "AT", max: "2" },
  },
  {
    name: "bic",
    operation: "lookUpBic",
    summary: "A BIC, its bank and its bank codes",
    path: { bic: "BKAUATWWXXX" },
  },
  {
    name: "bankCode",
    operation: "lookUpBank",
    summary: "The bank of an Austrian bank code",
    path: { country: "AT", bank_code: "12000" },
  },
  {
    name: "composedIban",
    operation: "composeIban",
    summary: "A Spanish account with its national check digits",
    body: { country: "ES", bank_code: "2100", branch_code: "0418", account: "0200051332" },
  },
  {
    name: "samples",
    operation: "sampleIbans",
    summary: "Spanish test numbers",
    query: { country: "ES", n: "2", seed: "1" },
  },
] as const satisfies readonly RequestExample[];

/** Returns the examples of one operation. */
export function examplesOf(operation: OperationName): readonly RequestExample[] {
  return requestExamples.filter((example) => example.operation === operation);
}
