import { BankcheckClient } from "../client/client.ts";
import { BankcheckError } from "../client/errors.ts";
import type { Fetch } from "../client/fetch-answer.ts";
import type { RetryNotice } from "../client/options.ts";
import { RequestSender } from "../client/sender.ts";
import { Checks } from "./check/checks.ts";
import { language, pageTexts } from "./words.ts";

const storedKey = "bankcheck-key";

/** How long the service may take to answer, in milliseconds. */
const patience = 10_000;

/** How long rows wait at most until a service that is away is tried again, in milliseconds. */
const maxWaitMs = 8_000;

/** Clocks that differ by less agree: the service dates its answers to the second, and they take their time. */
const maxSkewMs = 3_000;

/** Access to the service with a key: the client, and a sender for many rows, which waits for a service that is busy or away. */
interface ServiceAccess {
  readonly client: BankcheckClient;
  readonly sender: RequestSender;
}

/** The API key, which stays in the browser's tab; the views ask the service through it. */
export class Session {
  /** What was checked in this tab with the key, one number at a time, in whichever view. */
  checks = new Checks(this);
  /** Name of the key's holder; undefined as long as it is not known. */
  holder: string | undefined;
  #access: ServiceAccess | undefined;
  readonly #keyRefused: () => void;
  /** Called before the sender of rows waits to send some again. */
  onRetry: ((notice: RetryNotice) => void) | undefined;
  /** By how much the service's clock is ahead of the browser's. */
  #skewMs = 0;

  /** `keyRefused` is called when the service does not know the key any more, which is forgotten then. */
  constructor(keyRefused: () => void) {
    this.#keyRefused = keyRefused;
    const key = sessionStorage.getItem(storedKey);
    if (key !== null) this.#access = this.#accessWith(key);
  }

  /** The time by the service's clock, in seconds since 1970; the browser's may be wrong. */
  get now(): number {
    return (Date.now() + this.#skewMs) / 1_000;
  }

  get hasKey(): boolean {
    return this.#access !== undefined;
  }

  /** Asks the service for the holder of a key, and keeps a key that it knows; otherwise returns the text that says why not. */
  async signIn(key: string): Promise<"keyForm" | "keyUnknown" | "unreachable" | undefined> {
    try {
      const access = this.#accessWith(key);
      this.holder = (await access.client.usage()).name;
      this.#access = access;
      sessionStorage.setItem(storedKey, key);
      return undefined;
    } catch (error) {
      // The client takes no key that cannot travel in a header.
      if (error instanceof RangeError) return "keyForm";
      return isUnauthorized(error) ? "keyUnknown" : "unreachable";
    }
  }

  /** Reads the holder's name again after a reload of the page. */
  async refreshHolder(): Promise<void> {
    this.holder = (await this.ask(({ client }) => client.usage())).name;
  }

  signOut(): void {
    sessionStorage.clear();
    this.checks = new Checks(this);
    this.holder = undefined;
    this.#access = undefined;
  }

  get headers(): Readonly<Record<string, string>> {
    const key = sessionStorage.getItem(storedKey);
    return { "Accept-Language": language, ...(key !== null && { "X-API-Key": key }) };
  }

  /** Rejects with a `BankcheckError`, or the reason of the call's signal. A key that the service does not know any more is forgotten. */
  async ask<Answer>(call: (access: ServiceAccess) => Promise<Answer>): Promise<Answer> {
    const access = this.#access;
    if (access === undefined) throw new BankcheckError("invalid_key", pageTexts.keyUnknown);
    try {
      return await call(access);
    } catch (error) {
      if (isUnauthorized(error) && access === this.#access) {
        this.signOut();
        this.#keyRefused();
      }
      throw error;
    }
  }

  /** An error in a sentence for people: the service's own where it said one. */
  sentenceOf(error: unknown): string {
    if (!(error instanceof BankcheckError)) return pageTexts.unreachable;
    const { code, httpStatus, message } = error;
    if (code === "timed_out" && httpStatus === undefined) return pageTexts.slow;
    // A proxy before the service may have answered in its place.
    return httpStatus === undefined || notFromService.has(code) ? pageTexts.unreachable : message;
  }

  /** The views repeat what failed, and say so. */
  #accessWith(apiKey: string): ServiceAccess {
    const inLanguage: Fetch = async (url, { headers, ...init }) => {
      const answer = await fetch(url, { ...init, headers: { ...headers, "Accept-Language": language } });
      const skewMs = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
      if (Math.abs(skewMs - this.#skewMs) > maxSkewMs) this.#skewMs = skewMs;
      return answer;
    };
    const options = { baseUrl: location.origin, apiKey, timeout: patience, fetch: inLanguage };
    const onRetry = (notice: RetryNotice) => this.onRetry?.(notice);
    return {
      client: new BankcheckClient({ ...options, retries: 0, concurrency: 8 }),
      sender: new RequestSender({ ...options, retries: 1_000, maxDelayMs: maxWaitMs, onRetry }),
    };
  }
}

const isUnauthorized = (error: unknown) => error instanceof BankcheckError && error.httpStatus === 401;

const notFromService: ReadonlySet<string> = new Set(["unreachable", "invalid_answer", "timed_out"]);

/** One of the page's views; it keeps what it shows while another one is open. */
export interface View {
  /** Whether it needs no API key. */
  readonly isPublic?: boolean;
  /** Its parts, which stay the same. */
  readonly content: readonly HTMLElement[];
  /** Shows itself in the session's language; called when it is opened, and when the language changes. */
  show(): void;
  /** Begins or ends what only its display needs. */
  open?(): void;
  close?(): void;
  /** Discards what it holds, and asks before that where it cannot be had again; returns false if it is to stay. */
  mayLeave?(): boolean;
}
