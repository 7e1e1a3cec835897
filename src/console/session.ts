import { ServiceError } from "./service-error.ts";
import type { Language } from "./words.ts";

const storedKey = "bankcheck-key";
const storedLanguage = "bankcheck-language";
const msPerSecond = 1_000;

/** A key as it may travel in a header. */
const keyForm = /^[\x21-\x7e]{1,512}$/;

/** How long the service may take to answer, in milliseconds. */
const patience = 10_000;

/** What became of a key that was entered. */
export type SignIn = "known" | "malformed" | "unknown" | "unreachable";

/** The API key, which stays in the browser's tab, and the language; the views ask the service through it. */
export class Session {
  #language: Language;
  #holder: string | undefined;
  readonly #keyRefused: () => void;

  /** `keyRefused` is called when the service does not know the key any more, which is forgotten then. */
  constructor(keyRefused: () => void) {
    const chosen = localStorage.getItem(storedLanguage) ?? navigator.language;
    this.#language = chosen.startsWith("de") ? "de" : "en";
    this.#keyRefused = keyRefused;
  }

  get language(): Language {
    return this.#language;
  }

  set language(language: Language) {
    this.#language = language;
    localStorage.setItem(storedLanguage, language);
  }

  get hasKey(): boolean {
    return sessionStorage.getItem(storedKey) !== null;
  }

  /** Name of the key's holder; undefined as long as it is not known. */
  get holder(): string | undefined {
    return this.#holder;
  }

  /** Asks the service for the holder of a key, and keeps a key that it knows. */
  async signIn(key: string): Promise<SignIn> {
    if (!keyForm.test(key)) return "malformed";
    try {
      const answer = await fetch("/service/usage", {
        headers: { "X-API-Key": key },
        signal: AbortSignal.timeout(patience),
      });
      if (answer.status === 401) return "unknown";
      if (!answer.ok) return "unreachable";
      this.#holder = (await answer.json()).name;
    } catch {
      return "unreachable";
    }
    sessionStorage.setItem(storedKey, key);
    return "known";
  }

  /** Learns the holder's name again, after the page was loaded anew. */
  async refreshHolder(): Promise<void> {
    const key = sessionStorage.getItem(storedKey) ?? "";
    if ((await this.signIn(key)) === "unknown") this.#forget();
  }

  signOut(): void {
    sessionStorage.removeItem(storedKey);
    this.#holder = undefined;
  }

  /** Sends a request with the key, where there is one, and returns the answer as it comes. */
  async send(
    address: string,
    {
      method = "GET",
      contentType,
      body,
      signal,
    }: {
      readonly method?: string | undefined;
      readonly contentType?: string | undefined;
      readonly body?: string | undefined;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<Response> {
    const key = sessionStorage.getItem(storedKey);
    const headers: Record<string, string> = { "Accept-Language": this.#language };
    if (key !== null) headers["X-API-Key"] = key;
    if (body !== undefined) headers["Content-Type"] = contentType ?? "application/json";
    return fetch(address, {
      method,
      headers,
      signal: signal ?? null,
      ...(body === undefined ? {} : { body }),
    });
  }

  /**
   * Asks the service, by POST where there is a body, and returns its JSON answer.
   *
   * Rejects with a `ServiceError` where the answer is an error, with any other error where the service was not reached
   * within ten seconds.
   */
  async ask<Answer>(path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(patience);
    const answer = await this.send(path, {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const told = await answer.json();
    if (answer.ok) return told;
    const pause = Number(answer.headers.get("Retry-After") ?? Number.NaN) * msPerSecond;
    if (answer.status === 401 && signal?.aborted !== true) this.#forget();
    throw new ServiceError(answer.status, told.error.message, Number.isNaN(pause) ? undefined : pause);
  }

  #forget(): void {
    this.signOut();
    this.#keyRefused();
  }
}
