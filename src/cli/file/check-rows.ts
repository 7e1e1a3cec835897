import { setMaxListeners } from "node:events";
import { fitsOneBody } from "../../client/batches.ts";
import type { BankcheckClient } from "../../client/client.ts";
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
export function blockCheck(client: BankcheckClient, columns: CheckedColumns, generates: boolean): CheckBlock {
  if (columns.kind === "iban") {
    const verdicts = new BatchVerdicts();
    const read = (answer: string) => verdicts.read(answer);
    return ({ rows }, encoding, signal) => {
      const ibans: string[] = [];
      for (const { fields } of rows) {
        if (fields.length > 0) ibans.push(compact(decoded(fields[columns.iban] ?? "", encoding), notInIbans));
      }
      return checkIbans(client, ibans, read, signal);
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
          client,
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
  client: BankcheckClient,
  ibans: readonly string[],
  read: (answer: string) => Verdict[],
  signal: AbortSignal,
): Promise<readonly Verdict[]> {
  if (ibans.length === 0) return [];
  if (!fitsOneBody(ibans)) {
    const half = Math.ceil(ibans.length / 2);
    const first = await checkIbans(client, ibans.slice(0, half), read, signal);
    return [...first, ...(await checkIbans(client, ibans.slice(half), read, signal))];
  }
  return client.checkBatchInto(read, ibans, { signal });
}

async function checkAccount(
  client: BankcheckClient,
  kontonummer: string,
  blz: string,
  sepa: boolean,
  signal: AbortSignal,
): Promise<Verdict> {
  try {
    return verdictOfAccount(await client.account(kontonummer, blz, { sepa, signal }));
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
