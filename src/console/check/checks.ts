import type { BankcheckClient } from "../../client/client.ts";
import { BankcheckError } from "../../client/errors.ts";
import type { AccountCheckAnswer, IbanCheckAnswer } from "../../contract/api-types.ts";
import type { AskedAccount, AskedNumber } from "../../rows/read-number.ts";

/** The answer, with every check made and, for a number that is not valid, suggestions. */
export type CheckAnswer = IbanCheckAnswer | AccountCheckAnswer;

export interface MadeCheck {
  readonly request: AskedNumber;
  readonly answer: CheckAnswer;
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number;
}

/** Asks the service through its client, as `Session` does. */
interface Asking {
  ask<Answer>(call: (access: { readonly client: BankcheckClient }) => Promise<Answer>): Promise<Answer>;
}

export function keyOf(request: AskedNumber): string {
  if ("iban" in request) return `${request.iban} ${request.bic ?? ""}`;
  const numbers = [request.kontonummer, request.bankleitzahl];
  return request.inAnyOrder ? numbers.sort().join("|") : numbers.join(" ");
}

/** Checks of a list on their way at once. */
const inFlight = 4;

const storedCheck = "check ";

/**
 * Asks the service, each number once: what was answered is kept until the tab is closed or the user signs out, and a
 * question that is on its way is not asked again, since the service counts each.
 */
export class Checks {
  /** Those made before the page was loaded again come first. */
  readonly #made = new Map(
    Object.entries<string>(sessionStorage)
      .filter(([key]) => key.startsWith(storedCheck))
      .map(([key, made]) => [key.slice(storedCheck.length), JSON.parse(made) as MadeCheck] as const)
      .sort(([, one], [, other]) => one.at - other.at),
  );
  readonly #asked = new Map<string, Promise<MadeCheck>>();
  readonly #session: Asking;

  constructor(session: Asking) {
    this.#session = session;
  }

  /** All checks made, the newest first. */
  get all(): readonly MadeCheck[] {
    return [...this.#made.values()].reverse();
  }

  known(request: AskedNumber): MadeCheck | undefined {
    return this.#made.get(keyOf(request));
  }

  /** Makes a check, or returns the one made before. Rejects as `Session.ask` does. */
  make(request: AskedNumber): Promise<MadeCheck> {
    const key = keyOf(request);
    const known = this.#made.get(key) ?? this.#asked.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.#ask(request).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  /**
   * Makes the checks of a list; returns the first error, undefined without any. After one that is not the refusal of a
   * number (400) it asks nothing more, and what was answered is known.
   */
  async makeAll(requests: readonly AskedNumber[]): Promise<unknown> {
    const faults: unknown[] = [];
    const isRefusal = (error: unknown) => error instanceof BankcheckError && error.httpStatus === 400;
    const left = requests.values();
    const lane = async () => {
      for (const request of left) {
        await this.make(request).catch((error: unknown) => faults.push(error));
        if (!faults.every(isRefusal)) return;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return faults[0];
  }

  async #ask(given: AskedNumber): Promise<MadeCheck> {
    const request = "inAnyOrder" in given ? await this.#inOrder(given) : given;
    // By POST, so that no number is in an address that a proxy may log.
    const options = { explain: true, suggest: true, reason: true };
    const answer = await this.#session.ask<CheckAnswer>(({ client }) =>
      "iban" in request
        ? client.check(request.iban, { ...options, ...(request.bic !== undefined && { bic: request.bic }) })
        : client.account(request.kontonummer, request.bankleitzahl, { ...options, sepa: true }),
    );
    // Later than the one before, so that they keep their order when the page is loaded again.
    const at = Math.max(Date.now(), (this.all[0]?.at ?? 0) + 1);
    const made = { request, answer, at };
    const key = keyOf(request);
    this.#made.set(key, made);
    try {
      sessionStorage.setItem(storedCheck + key, JSON.stringify(made));
    } catch {
      // The tab's storage is full, after a thousand checks: this one is kept until the page is loaded again.
    }
    return made;
  }

  /** The service knows which of two numbers is the bank code, and says so without a check. */
  async #inOrder(request: AskedAccount): Promise<AskedAccount> {
    const text = `${request.kontonummer} ${request.bankleitzahl}`;
    const { data } = await this.#session.ask(({ client }) => client.extract(text));
    const { account: kontonummer, bank_code: bankleitzahl } = data.accounts[0]!;
    return { ...request, kontonummer, bankleitzahl };
  }
}
