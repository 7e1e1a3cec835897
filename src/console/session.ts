import { BankcheckClient } from "../client/client.ts";
import { BankcheckError } from "../client/errors.ts";
import { type Language, texts } from "./words.ts";

const storedKey = "bankcheck-key";
const storedLanguage = "bankcheck-language";

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
  /** Sends with the key; undefined as long as there is none. */
  #client: BankcheckClient | undefined;
  readonly #keyRefused: () => void;

  /** `keyRefused` is called when the service does not know the key any more, which is forgotten then. */
  constructor(keyRefused: () => void) {
    const chosen = localStorage.getItem(storedLanguage) ?? navigator.language;
    this.#language = chosen.startsWith("de") ? "de" : "en";
    this.#keyRefused = keyRefused;
    const key = sessionStorage.getItem(storedKey);
    if (key !== null && keyForm.test(key)) this.#client = this.#clientOf(key);
  }

  get language(): Language {
    return this.#language;
  }

  set language(language: Language) {
    this.#language = language;
    localStorage.setItem(storedLanguage, language);
  }

  get hasKey(): boolean {
    return this.#client !== undefined;
  }

  /** Name of the key's holder; undefined as long as it is not known. */
  get holder(): string | undefined {
    return this.#holder;
  }

  /** Asks the service for the holder of a key, and keeps a key that it knows. */
  async signIn(key: string): Promise<SignIn> {
    if (!keyForm.test(key)) return "malformed";
    const client = this.#clientOf(key);
    try {
      this.#holder = (await client.usage()).name;
    } catch (error) {
      return error instanceof BankcheckError && error.httpStatus === 401 ? "unknown" : "unreachable";
    }
    sessionStorage.setItem(storedKey, key);
    this.#client = client;
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
    this.#client = undefined;
  }

  /** The headers of a request that a view sends by itself. */
  get headers(): Readonly<Record<string, string>> {
    const key = sessionStorage.getItem(storedKey);
    return { "Accept-Language": this.#language, ...(key !== null && { "X-API-Key": key }) };
  }

  /**
   * Asks the service through the client, which sends each request once and waits ten seconds for its answer.
   *
   * Rejects with a `BankcheckError`, or with the reason of the signal that the call was given. A key that the service does
   * not know any more is forgotten.
   */
  async ask<Answer>(call: (client: BankcheckClient) => Promise<Answer>): Promise<Answer> {
    const client = this.#client;
    if (client === undefined) throw new BankcheckError("invalid_key", texts[this.#language].keyUnknown);
    try {
      return await call(client);
    } catch (error) {
      const isRefused = error instanceof BankcheckError && error.httpStatus === 401;
      if (isRefused && client === this.#client) this.#forget();
      throw error;
    }
  }

  /** What went wrong, in a sentence for people: the service's own where it said one. */
  sentenceOf(error: unknown): string {
    const words = texts[this.#language];
    if (!(error instanceof BankcheckError)) return words.unreachable;
    if (error.code === "timed_out" && error.httpStatus === undefined) return words.slow;
    return isFromService(error) ? error.message : words.unreachable;
  }

  /** The views repeat what failed by themselves, so that they can say so. */
  #clientOf(apiKey: string): BankcheckClient {
    return new BankcheckClient({
      baseUrl: location.origin,
      apiKey,
      timeout: patience,
      retries: 0,
      concurrency: 64,
      fetch: (url, { headers, ...init }) =>
        fetch(url, { ...init, headers: { ...headers, "Accept-Language": this.#language } }),
    });
  }

  #forget(): void {
    this.signOut();
    this.#keyRefused();
  }
}

/** Whether the service itself has answered, and not a proxy before it or nobody. */
function isFromService({ code, httpStatus }: BankcheckError): boolean {
  return (
    httpStatus !== undefined && code !== "unreachable" && code !== "invalid_answer" && code !== "timed_out"
  );
}

/** One of the page's views; it keeps what it shows while another one is open. */
export interface View {
  /** Whether it shows nothing without an API key. */
  readonly needsKey: boolean;
  /** Shows itself as the only content of an element, in the session's language. */
  open(into: HTMLElement, session: Session): void;
  /** Ends what only its display needs; called before another view opens. */
  close(): void;
  /** Shows itself in the session's language; called only while it is open. */
  setLanguage(): void;
}
