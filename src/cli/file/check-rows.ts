import { isOfInstitution } from "../../banking/bic.ts";
import type { IbanBatchAnswer } from "../../client/api-types.ts";
import { BankcheckError } from "../../client/errors.ts";
import type { AnswerFacts } from "../../client/exchange.ts";
import type { RequestSender } from "../../client/sender.ts";
import { sendLines } from "../../client/sender.ts";
import { fitsOneBody } from "../../client/sources.ts";
import type { CheckedNumber } from "../../rows/columns.ts";
import { decoded, type Encoding, encoded } from "../../rows/encoding.ts";
import { BatchVerdicts, LineVerdicts } from "../../rows/known-verdicts.ts";
import type { Checked } from "../../rows/render.ts";
import type { Row } from "../../rows/rows.ts";
import { type ReadField, readDigits, readIban } from "../../rows/text.ts";
import { type Verdict, verdictOfEntry } from "../../rows/verdict.ts";
import { offlineAccounts } from "../fetch-over-http.ts";

/** Checks one number of each of some rows, in order; none of the rows is empty or faulty. */
export type CheckRows = (rows: readonly Row[], signal: AbortSignal) => Promise<Checked>;

/** What is requested from the service besides the check. */
export interface CheckQuestion {
  /** The IBAN of each account. */
  readonly generates: boolean;
  /** What a number that is not valid was probably meant to be. */
  readonly suggests: boolean;
  /** Whether a pool in this process answers, which takes many accounts at a time. */
  readonly isOffline: boolean;
}

/** Makes the check of a number of a file's rows. */
export function rowsCheck(
  sender: RequestSender,
  number: CheckedNumber,
  encoding: Encoding | undefined,
  question: CheckQuestion,
): CheckRows {
  return number.kind === "iban"
    ? ibansCheck(sender, number, encoding, question)
    : accountsCheck(sender, number, encoding, question);
}

const pathOf = (path: string, { suggests }: Pick<CheckQuestion, "suggests">) =>
  `${path}?reason=1${suggests ? "&suggest=1" : ""}`;

function ibansCheck(
  sender: RequestSender,
  { iban, bic }: CheckedNumber & { kind: "iban" },
  encoding: Encoding | undefined,
  question: CheckQuestion,
): CheckRows {
  const path = pathOf("/v1/iban", question);
  const known = new BatchVerdicts();
  const asked = new LineVerdicts(parsedBytes);
  // Suggestions differ from entry to entry, so that nothing could be remembered.
  const readBatch = (text: string) =>
    question.suggests
      ? (JSON.parse(text) as IbanBatchAnswer).batch.results.map(verdictOfEntry)
      : known.read(text);
  return async (rows, signal) => {
    const texts: string[] = [];
    const notes = new Map<number, string>();
    for (let place = 0; place < rows.length; place++) {
      const { text, isMended } = readIban(decoded(rows[place]!.fields[iban] ?? "", encoding));
      texts.push(text);
      if (isMended) notes.set(place, noteOf(text));
    }
    const edition = new Edition();
    const verdicts = await checkIbans(sender, path, texts, readBatch, edition, signal);
    if (bic !== undefined) {
      const bics = rows.map((row) =>
        decoded(row.fields[bic] ?? "", encoding)
          .replace(/\s+/g, "")
          .slice(0, maxBic),
      );
      const check = (lines: readonly string[]) =>
        checkLines(sender, linesPath(question), lines, asked, edition, signal);
      await checkBics(check, texts, bics, verdicts);
    }
    return {
      verdicts,
      ibans: texts.map((text, place) => (verdicts[place]!.error === "" ? text.toUpperCase() : null)),
      notes,
      edition: edition.name,
    };
  };
}

/** The edition that answered last: a block whose answers are of two, around midnight, has the later one. */
class Edition {
  name = "";
  readonly take = ({ edition }: Partial<AnswerFacts>) => {
    if (edition !== undefined) this.name = edition;
  };
}

/** In batches: a whole entry costs the service a third of what it costs in a stream. */
async function checkIbans(
  sender: RequestSender,
  path: string,
  ibans: readonly string[],
  readBatch: (text: string) => Verdict[],
  edition: Edition,
  signal: AbortSignal,
): Promise<Verdict[]> {
  if (ibans.length === 0) return [];
  if (!fitsOneBody(ibans)) {
    const half = Math.ceil(ibans.length / 2);
    const first = await checkIbans(sender, path, ibans.slice(0, half), readBatch, edition, signal);
    return [...first, ...(await checkIbans(sender, path, ibans.slice(half), readBatch, edition, signal))];
  }
  const read = (text: string, facts: AnswerFacts) => {
    const verdicts = readBatch(text);
    if (verdicts.length !== ibans.length) {
      throw new BankcheckError(
        "invalid_answer",
        "The answer does not have one entry for each IBAN of the batch.",
      );
    }
    edition.take(facts);
    return verdicts;
  };
  return sender.send({ path, body: JSON.stringify({ ibans }), signal, read });
}

/** A BIC that is longer is as wrong when it is cut. */
const maxBic = 64;

/**
 * Puts the verdict with the BIC in place of that without, where an IBAN is valid and has a BIC.
 *
 * A BIC of the institution that the bank data names for the IBAN matches; only others are requested.
 */
async function checkBics(
  check: (lines: readonly string[]) => Promise<readonly Verdict[]>,
  ibans: readonly string[],
  bics: readonly string[],
  verdicts: Verdict[],
): Promise<void> {
  const places = [...verdicts.keys()].filter((place) => {
    const { valid, data } = verdicts[place]!;
    const bic = bics[place]!.toUpperCase();
    return valid && bic !== "" && !isOfInstitution(bic, data?.bic ?? null);
  });
  const lines = places.map((place) =>
    JSON.stringify({ iban: ibans[place], bic: bics[place]!.toUpperCase() }),
  );
  for (const [index, verdict] of (await check(lines)).entries()) verdicts[places[index]!] = verdict;
}

function accountsCheck(
  sender: RequestSender,
  { kontonummer, blz }: CheckedNumber & { kind: "account" },
  encoding: Encoding | undefined,
  question: CheckQuestion,
): CheckRows {
  const known = new LineVerdicts(parsedBytes);
  const { generates, suggests } = question;
  const takesMany = question.isOffline && !suggests;
  const path = linesPath(question);
  const digits = (row: Row, column: number) => readDigits(decoded(row.fields[column] ?? "", encoding));
  return async (rows, signal) => {
    const accounts = rows.map((row) => digits(row, kontonummer));
    const codes = rows.map((row) => digits(row, blz));
    const edition = new Edition();
    const texts = accounts.flatMap(({ text }, place) => [text, codes[place]!.text]);
    const lines = () =>
      accounts.map(({ text }, place) =>
        JSON.stringify({ kontonummer: text, bankleitzahl: codes[place]!.text }),
      );
    const verdicts = takesMany
      ? await checkAccounts(sender, texts, generates, known, edition, signal)
      : await checkLines(sender, path, lines(), known, edition, signal);
    return {
      verdicts,
      ibans: verdicts.map(({ data }) => (generates ? (data?.iban ?? null) : null)),
      notes: new Map([...notesOf(codes), ...notesOf(accounts)]),
      edition: edition.name,
    };
  };
}

/** What added columns are made of; an IBAN only where it is generated, so that lines of one bank are the same. */
const lineFields =
  "valid,status,message,reason,bic,blz,bank,zip,location,country,sepa_methods,error,suggestions,edition";

const linesPath = ({ generates, suggests }: CheckQuestion) =>
  `/v1/stream?reason=1${suggests ? "&suggest=1" : ""}${generates ? "&sepa=1" : ""}&fields=${lineFields}${generates ? ",iban" : ""}`;

/** Checks what the lines ask, each of them once however often the service fails meanwhile. */
async function checkLines(
  sender: RequestSender,
  path: string,
  lines: readonly string[],
  known: LineVerdicts,
  edition: Edition,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const textOf = (bytes: Uint8Array) => (bytes as Buffer).toString("latin1");
  const answers = await sendLines(sender, lines, { path, signal, textOf });
  const verdicts = answers.map((text) => known.read(text));
  const found = verdicts.findLast(({ data }) => data !== undefined)?.data as { edition?: string } | undefined;
  edition.take(found ?? {});
  return verdicts;
}

/** Checks accounts, kontonummer and bank code in turn, with as few requests as their size allows. */
async function checkAccounts(
  sender: RequestSender,
  texts: readonly string[],
  generates: boolean,
  known: LineVerdicts,
  edition: Edition,
  signal: AbortSignal,
): Promise<Verdict[]> {
  if (texts.length === 0) return [];
  if (!fitsOneBody(texts)) {
    const half = 2 * Math.ceil(texts.length / 4);
    const part = (from: number, to?: number) =>
      checkAccounts(sender, texts.slice(from, to), generates, known, edition, signal);
    return [...(await part(0, half)), ...(await part(half))];
  }
  const path = `${offlineAccounts}?reason=1${generates ? "&sepa=1" : ""}`;
  const read = (text: string, facts: AnswerFacts) => {
    edition.take(facts);
    return text.split("\n").map((line) => known.read(line.slice(1)));
  };
  return sender.send({ path, body: JSON.stringify(texts), signal, read });
}

function notesOf(fields: readonly ReadField[]): ReadonlyMap<number, string> {
  const notes = new Map<number, string>();
  for (const [place, { text, isMended }] of fields.entries()) {
    if (isMended) notes.set(place, noteOf(text));
  }
  return notes;
}

function noteOf(text: string): string {
  return `read as ${text}`;
}

/** Parses JSON with one character for each byte. Escapes become characters, so that a line with any is written without them first. */
function parsedBytes(line: string): unknown {
  if (!line.includes("\\u")) return JSON.parse(line);
  return JSON.parse(encoded(JSON.stringify(JSON.parse(decoded(line, "utf-8")))));
}
