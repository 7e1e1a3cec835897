import { AnswerStream } from "./answer-stream.ts";
import type { IbanBatchEntry } from "./api-types.ts";
import {
  type AccountOptions,
  type CheckOptions,
  expectOptions,
  type ManyOptions,
  optionNames,
  queryOf,
} from "./call-options.ts";
import { inOrder } from "./concurrency-limit.ts";
import {
  type Account,
  type AccountEntry,
  type AccountLine,
  accountEntry,
  type Identified,
  type RequestSender,
  sendLines,
} from "./sender.ts";
import { entryBytes, groupsOf } from "./sources.ts";

/** An IBAN to check with its BIC, or with an id that its entry repeats. */
export interface IbanWithBic extends Identified {
  readonly iban: string;
  readonly bic?: string;
}

/** What `checkMany` yields for an IBAN. */
export type IbanEntry = IbanBatchEntry & Identified;

/** How many batches may be held finished while an earlier one is sent again. */
const batchesAhead = 64;

/** Yields an entry for each IBAN, as `BankcheckClient.checkMany` does. */
export async function* checkMany(
  sender: RequestSender,
  checkBatch: (ibans: readonly string[], options: CheckOptions) => Promise<readonly IbanBatchEntry[]>,
  ibans: AsyncIterable<string | IbanWithBic> | Iterable<string | IbanWithBic>,
  options: ManyOptions,
): AsyncGenerator<IbanEntry, void, void> {
  expectOptions(options, optionNames.many);
  const { signal, onAnswer, maxWait, ...asked } = options;
  const path = `/v1/stream${queryOf(asked)}`;
  const alone = (item: string | IbanWithBic, ending = signal) =>
    checkBatch([ibanOf(item)], { ...asked, signal: ending });
  // The answer to a line that is far too long says no more than its error.
  const isWhole = (line: Partial<IbanBatchEntry>): line is IbanBatchEntry => line.iban !== undefined;
  if (sender.sendsPieces) {
    const call = { path, lineOf, maxWait, signal, onAnswer };
    const stream = new AnswerStream(sender, ibans, call);
    for await (const { items, answers } of stream.answers()) {
      for (const [place, answer] of answers.entries()) {
        const item = items[place]!;
        for (const entry of isWhole(answer) ? [answer] : await alone(item)) yield withId(item, entry);
      }
    }
    return;
  }
  const send = async (batch: readonly (string | IbanWithBic)[], ending: AbortSignal) => {
    const plain = batch.filter((item) => typeof item === "string");
    if (plain.length === batch.length) return checkBatch(plain, { ...asked, onAnswer, signal: ending });
    const call = { path, signal: ending, onAnswer };
    const lines = await sendLines(sender, batch.map(lineOf), call);
    const entries: IbanEntry[] = [];
    for (const [place, text] of lines.entries()) {
      const item = batch[place]!;
      const found = JSON.parse(`{${text}`) as Partial<IbanBatchEntry>;
      for (const entry of isWhole(found) ? [found] : await alone(item, ending))
        entries.push(withId(item, entry));
    }
    return entries;
  };
  const groups = groupsOf(ibans, maxWait, (item) => entryBytes(ibanOf(item)));
  const batches = inOrder(groups, send, { ...sender.bounds, ahead: batchesAhead, signal });
  for await (const entries of batches) yield* entries;
}

/** Yields an entry for each account, as `BankcheckClient.accountMany` does. */
export async function* accountMany(
  sender: RequestSender,
  accounts: AsyncIterable<Account> | Iterable<Account>,
  options: ManyOptions & Pick<AccountOptions, "sepa">,
): AsyncGenerator<AccountEntry, void, void> {
  expectOptions(options, optionNames.accounts);
  const { signal, onAnswer, maxWait, reason = false, ...asked } = options;
  // The lines of a stream have the message only together with the reason.
  const path = `/v1/stream${queryOf({ ...asked, reason: true })}`;
  const lineOf = ({ kontonummer, bankleitzahl }: Account) => JSON.stringify({ kontonummer, bankleitzahl });
  const entryOf = (account: Account, line: object) => accountEntry(account, line as AccountLine, reason);
  if (sender.sendsPieces) {
    const call = { path, lineOf, maxWait, signal, onAnswer };
    const stream = new AnswerStream(sender, accounts, call);
    for await (const { items, answers } of stream.answers())
      for (const [place, answer] of answers.entries()) yield entryOf(items[place]!, answer);
    return;
  }
  const send = async (group: readonly Account[], ending: AbortSignal) => {
    const call = { path, signal: ending, onAnswer };
    const answers = await sendLines(sender, group.map(lineOf), call);
    return answers.map((text, place) => entryOf(group[place]!, JSON.parse(`{${text}`) as object));
  };
  const groups = groupsOf(accounts, maxWait ?? 50);
  for await (const entries of inOrder(groups, send, { ...sender.bounds, ahead: batchesAhead, signal }))
    yield* entries;
}

function lineOf(item: string | IbanWithBic): string {
  return JSON.stringify(typeof item === "string" ? item : { iban: item.iban, bic: item.bic });
}

function withId(item: string | IbanWithBic, entry: IbanBatchEntry): IbanEntry {
  return typeof item === "string" || item.id === undefined ? entry : { id: item.id, ...entry };
}

function ibanOf(item: string | IbanWithBic): string {
  return typeof item === "string" ? item : item.iban;
}
