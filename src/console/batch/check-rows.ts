import { ServiceError } from "../service-error.ts";
import type { Session } from "../session.ts";
import type { BatchAnswer, BatchEntry } from "./answer.ts";

/** Accounts that are asked about at a time; each is a request of its own. */
const accountsInFlight = 6;

interface AccountAnswer {
  readonly status: number;
  readonly message: string;
  readonly data: NonNullable<BatchEntry["data"]>;
}

/** Has the service check IBANs in one request, with the reason of each that is wrong. Rejects as `Session.ask` does. */
export async function checkIbans(
  ibans: readonly string[],
  session: Session,
  signal: AbortSignal,
): Promise<readonly BatchEntry[]> {
  const { batch } = await session.ask<BatchAnswer>("/v1/iban?reason=1", { ibans }, signal);
  return batch.results;
}

/** Checks accounts one by one, and makes their IBANs; what was answered before a fault is not asked again. */
export class AccountRows {
  readonly #answered = new Map<string, BatchEntry>();

  async check(
    accounts: readonly { readonly kontonummer: string; readonly blz: string }[],
    session: Session,
    signal: AbortSignal,
  ): Promise<readonly BatchEntry[]> {
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < accounts.length; index = next++) {
        const { kontonummer, blz } = accounts[index]!;
        const key = `${kontonummer} ${blz}`;
        if (!this.#answered.has(key))
          this.#answered.set(key, await entryOf(kontonummer, blz, session, signal));
      }
    };
    await Promise.all(Array.from({ length: accountsInFlight }, lane));
    return accounts.map(({ kontonummer, blz }) => this.#answered.get(`${kontonummer} ${blz}`)!);
  }
}

async function entryOf(
  kontonummer: string,
  blz: string,
  session: Session,
  signal: AbortSignal,
): Promise<BatchEntry> {
  const body = { kontonummer: kontonummer.replace(/\D/g, ""), bankleitzahl: blz.replace(/\D/g, ""), sepa: 1 };
  try {
    const { status, message, data } = await session.ask<AccountAnswer>("/v1/kto?reason=1", body, signal);
    return {
      valid: status === 1,
      status,
      data: { ...data, message: data.message ?? message, made: data.iban !== null },
    };
  } catch (error) {
    // A number that is not well formed is the row's fault; anything else is the run's.
    if (!(error instanceof ServiceError) || error.httpStatus !== 400) throw error;
    const data = {
      bic: null,
      bank: "",
      zip: "",
      location: "",
      country: "",
      message: error.message,
      reason: "not_an_account",
    };
    return { valid: false, status: 3, data };
  }
}
