import { type ErrorCode, errorCatalogue } from "../contract/errors.ts";
import { textOf } from "../contract/message.ts";
import { ServiceError } from "./service-error.ts";
import type { Language } from "./words.ts";

const storedKey = "bankcheck-key";
const msPerSecond = 1_000;

/** The API key, which stays in the browser's tab, and the language; what the views ask the service goes through here. */
export class Session {
  language: Language;
  readonly #keyRefused: (reason: string) => void;

  /** `keyRefused` is told when the service does not know the key, which is forgotten then. */
  constructor(language: Language, keyRefused: (reason: string) => void) {
    this.language = language;
    this.#keyRefused = keyRefused;
  }

  get hasKey(): boolean {
    return sessionStorage.getItem(storedKey) !== null;
  }

  keep(key: string): void {
    sessionStorage.setItem(storedKey, key);
  }

  /**
   * Asks the service, by POST where there is a body, and gives its JSON answer.
   *
   * Rejects with a `ServiceError` where the answer is an error, with any other error where the service was not reached.
   */
  async ask<Answer>(path: string, signal: AbortSignal, body?: object): Promise<Answer> {
    const key = sessionStorage.getItem(storedKey) ?? "";
    const answer = await fetch(path, {
      signal,
      headers: { "X-API-Key": key, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const told = await answer.json();
    if (answer.ok) return told;
    const pause = Number(answer.headers.get("Retry-After") ?? Number.NaN) * msPerSecond;
    const message = this.#inOwnLanguage(told.error);
    if (answer.status === 401 && !signal.aborted) {
      sessionStorage.removeItem(storedKey);
      this.#keyRefused(message);
    }
    throw new ServiceError(answer.status, message, Number.isNaN(pause) ? undefined : pause);
  }

  /** The service answers in English; only what says more than the table of errors stays as it is. */
  #inOwnLanguage({ code, message }: { readonly code: ErrorCode; readonly message: string }): string {
    const known = errorCatalogue[code]?.message;
    const isKnown = known !== undefined && textOf(known, "en") === message;
    return isKnown ? textOf(known, this.language) : message;
  }
}
