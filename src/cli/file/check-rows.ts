import { setMaxListeners } from "node:events";
import type { AccountCheckAnswer } from "../../client/api-types.ts";
import { fitsOneBody } from "../../client/batches.ts";
import { BankcheckError } from "../../client/errors.ts";
import type { RequestSender } from "../../client/sender.ts";
import { BatchVerdicts } from "./batch-verdicts.ts";
import type { CheckedColumns } from "./columns.ts";
import type { Block } from "./rows.ts";
import { decoded, type Encoding } from "./text.ts";
import { type Verdict, verdictOfAccount, verdictOfRefusal } from "./verdict.ts";

/** Checks the rows of a block that are not empty, and gives a verdict for each, in order. */
export type CheckBlock = (
  block: Block,
  encoding: Encoding | undefined,
  signal: AbortSignal,
) => Promise<readonly Verdict[]>;

/** Makes the check of blocks for a file's columns; `generates` asks for the IBAN of each account. */
export function blockCheck(sender: RequestSender, columns: CheckedColumns, generates: boolean): CheckBlock {
  if (columns.kind === "iban") {
    const verdicts = new BatchVerdicts();
    const read = (answer: string) => verdicts.read(answer);
    return ({ rows }, encoding, signal) => {
      const ibans: string[] = [];
      for (const { fields } of rows) {
        if (fields.length > 0) ibans.push(compact(decoded(fields[columns.iban] ?? "", encoding), notInIbans));
      }
      return checkIbans(sender, ibans, read, signal);
    };
  }
  const { kontonummer, blz } = columns;
  return ({ rows }, _, signal) => {
    // All of a block's requests end with one signal.
    setMaxListeners(0, signal);
    const filled = rows.filter(({ fields }) => fields.length > 0);
    return Promise.all(
      filled.map(({ fields }) =>
        checkAccount(
          sender,
          compact(fields[kontonummer], notInNumbers),
          compact(fields[blz], notInNumbers),
          generates,
          signal,
        ),
      ),
    );
  };
}

async function checkIbans(
  sender: RequestSender,
  ibans: readonly string[],
  read: (answer: string) => Verdict[],
  signal: AbortSignal,
): Promise<readonly Verdict[]> {
  if (ibans.length === 0) return [];
  if (!fitsOneBody(ibans)) {
    const half = Math.ceil(ibans.length / 2);
    const first = await checkIbans(sender, ibans.slice(0, half), read, signal);
    return [...first, ...(await checkIbans(sender, ibans.slice(half), read, signal))];
  }
  const expectAll = (text: string) => {
    const verdicts = read(text);
    if (verdicts.length === ibans.length) return verdicts;
    throw new BankcheckError("invalid_answer", "The answer has another number of entries than the batch.");
  };
  return sender.send({ path: "/v1/iban", body: JSON.stringify({ ibans }), signal, read: expectAll });
}

async function checkAccount(
  sender: RequestSender,
  kontonummer: string,
  blz: string,
  sepa: boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    const body = JSON.stringify({ kontonummer, bankleitzahl: blz, sepa: sepa ? 1 : 0 });
    const read = (text: string) => verdictOfAccount(JSON.parse(text) as AccountCheckAnswer);
    return await sender.send({ path: "/v1/kto", body, signal, read });
  } catch (error) {
    const verdict = verdictOfRefusal(error);
    if (verdict === undefined) throw error;
    return verdict;
  }
}

const longestField = 100;
const notInIbans = /[^A-Za-z0-9]/;
const notInNumbers = /\D/;

/**
 * Takes the spaces from a field, and cuts what is far too long, so that one request can carry any 500 fields.
 *
 * The verdict stays the same: too long, or malformed where a character that none may have stands behind the cut.
 */
function compact(text: string | undefined, forbidden: RegExp): string {
  const spaceless = (text ?? "").replaceAll(" ", "");
  if (spaceless.length <= longestField) return spaceless;
  return spaceless.slice(0, longestField) + (forbidden.exec(spaceless)?.[0] ?? "");
}
