import type { CheckEntry } from "../../contract/check-entry.ts";
import { ServiceError } from "../service-error.ts";
import type { Session } from "../session.ts";
import { translate } from "../translate.ts";
import type { View } from "../view.ts";
import type { CheckAnswer } from "./answer.ts";
import { proposals } from "./proposals.ts";
import { showVerdict } from "./verdict.ts";
import { checkTexts } from "./words.ts";

const typingPause = 150;
const retryPause = 1_000;
const shortestIban = 15;

/** Checks one IBAN, or one account number with its bank code, while it is typed. */
export class CheckView implements View {
  readonly #content: readonly Element[];
  readonly #form: HTMLFormElement;
  readonly #input: HTMLInputElement;
  readonly #blz: HTMLInputElement;
  readonly #notice: HTMLElement;
  readonly #verdict: HTMLElement;
  #session!: Session;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #asked = new AbortController();

  constructor() {
    const template = document.getElementById("check-view") as HTMLTemplateElement;
    const content = template.content.cloneNode(true) as DocumentFragment;
    const find = <Kind extends HTMLElement>(selector: string) => content.querySelector<Kind>(selector)!;
    this.#content = [...content.children];
    this.#form = find("#check-form");
    this.#input = find("#input");
    this.#blz = find("#blz");
    this.#notice = find(".notice");
    this.#verdict = find("#verdict");
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#checkAfter(0);
    });
    this.#form.addEventListener("input", () => this.#typed());
  }

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    into.replaceChildren(...this.#content);
    this.speak();
  }

  close(): void {
    clearTimeout(this.#waiting);
    this.#asked.abort();
    this.#verdict.replaceChildren();
  }

  speak(): void {
    translate(this.#form, checkTexts[this.#session.language]);
    void this.#check();
  }

  /** What is to be asked about the input, or the hint to give instead. */
  #wanted(text: string): { readonly path: string } | { readonly hint: string } {
    const words = checkTexts[this.#session.language];
    if (text === "") return { hint: words.empty };
    if (/^\d{1,10}$/.test(text)) {
      const code = this.#blz.value.replace(/\s/g, "");
      return /^\d{8}$/.test(code) ? { path: `/v1/kto/${text}/${code}?explain=1` } : { hint: words.needsBlz };
    }
    if (text.length < shortestIban) return { hint: words.incomplete };
    return { path: `/v1/iban/${encodeURIComponent(text)}?explain=1&sepa=1` };
  }

  async #check(): Promise<void> {
    this.#asked.abort();
    this.#asked = new AbortController();
    const { signal } = this.#asked;
    const text = this.#input.value.replace(/\s/g, "").toUpperCase();
    const wanted = this.#wanted(text);
    if ("hint" in wanted) {
      this.#verdict.replaceChildren();
      this.#say(wanted.hint);
      return;
    }
    try {
      const answer = await this.#session.ask<CheckAnswer>(wanted.path, signal);
      if (signal.aborted) return;
      this.#say("");
      showVerdict(this.#verdict, text, answer, this.#session.language);
      const areWrong = ({ check, result }: CheckEntry) => check === "iso_check_digits" && result === "failed";
      if (answer.data.checks.some(areWrong)) void this.#propose(text, signal);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** Puts below the verdict what may have been meant. */
  async #propose(text: string, signal: AbortSignal): Promise<void> {
    const take = (iban: string) => {
      this.#input.value = iban;
      this.#typed();
      this.#checkAfter(0);
      this.#input.focus();
    };
    try {
      const proposed = await proposals(text, this.#session, signal, take);
      if (proposed !== undefined && !signal.aborted) this.#verdict.firstElementChild?.after(proposed);
    } catch {
      // The verdict stands without them; whatever is wrong with the service the next check tells.
    }
  }

  #failed(error: unknown): void {
    this.#verdict.replaceChildren();
    if (!(error instanceof ServiceError)) {
      this.#say(checkTexts[this.#session.language].unreachable, true);
      this.#checkAfter(retryPause);
      return;
    }
    this.#say(error.message, true);
    if (error.httpStatus === 503) this.#checkAfter(error.retryAfter ?? retryPause);
  }

  #checkAfter(pause: number): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#check(), pause);
  }

  #typed(): void {
    const input = this.#input;
    const text = input.value.replace(/\s/g, "");
    this.#blz.parentElement!.hidden = !/^\d+$/.test(text);
    // Grouped only while typing at the end: regrouping elsewhere would move the caret.
    if (/^[a-z]{2}/i.test(text) && input.selectionStart === input.value.length) {
      input.value = text
        .toUpperCase()
        .replace(/(.{4})/g, "$1 ")
        .trim();
    }
    this.#asked.abort();
    this.#checkAfter(typingPause);
  }

  #say(text: string, isWrong = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
  }
}
