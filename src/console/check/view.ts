import { inFours } from "../../banking/iban/normalise.ts";
import { BankcheckError } from "../../client/errors.ts";
import { verdictWords } from "../../contract/verdict.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { button, element, labelled, Notice, translate, worded } from "../element.ts";
import type { Session, View } from "../session.ts";
import { filled, language, checkTexts as words } from "../words.ts";
import { keyOf } from "./checks.ts";
import { historyOf, listed } from "./lists.ts";
import { type Question, questionOf } from "./question.ts";
import { introduction, pending, resultView, type Suggestion, verdictOfAnswer } from "./result.ts";

/** A complete number is checked after this pause; a wrong or short one may still be typed on, so it waits longer. */
const pauses = { complete: 150, doubtful: 900 } as const;
const busyPause = 2_000;
/** A screen reader reads a hint out after this pause, and not at every character that is typed. */
const readingPause = 800;
/** Read in some milliseconds at each change. */
const maxTextLength = 40_000;
/** A text with more numbers than this is a list, for Batch. */
const maxListed = 100;

/** Checks one number: an IBAN with or without its BIC, or an account number with its bank code. */
export class CheckView implements View {
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #form = element("form", { id: "check-form", autocomplete: "off" });
  readonly #input = element("textarea", { id: "input", rows: 2 });
  readonly #bic = element("input", { id: "bic" });
  readonly #blz = element("input", { id: "blz", inputMode: "numeric" });
  readonly #cleaned = element("p", "hint");
  readonly #notice = element("p", "notice");
  readonly #action = button("quiet", "", () => void this.#ask());
  /** A screen reader reads out this sentence, not the whole result. */
  readonly #spoken = new Notice("offscreen");
  readonly #result = element("div", { id: "verdict" });
  readonly #history = element("aside", "history no-print");
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  /** What the input may have checked. */
  #numbers: readonly AskedNumber[] = [];
  /** What is on its way, by its keys; an answer to anything else than `#numbers` is not shown. */
  #asked = "";
  /** An IBAN whose BIC was found with it, and not typed. */
  #withBic: Extract<AskedNumber, { readonly iban: string }> | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#action.hidden = true;
    for (const field of [this.#input, this.#blz, this.#bic]) {
      field.spellcheck = false;
      field.autocapitalize = "characters";
      field.onfocus = () => field.select();
      this.#form.append(labelled(worded(field.id), field));
    }
    const state = [this.#notice, this.#action, this.#spoken.element];
    const left = element("div", "stack", this.#form, this.#cleaned, ...state);
    this.content = [element("div", "check", left, this.#result, this.#history)];
    this.#form.oninput = () => this.#edited();
    this.#form.onsubmit = (event) => event.preventDefault();
    this.#form.onkeydown = (event) => {
      if (event.key === "Escape") this.#fill("");
      else if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        void this.#ask();
      }
    };
    this.#input.onpaste = () => setTimeout(() => this.#group());
    addEventListener("hashchange", () => this.open());
    addEventListener("online", () => {
      if (this.#notice.classList.contains("wrong")) void this.#ask();
    });
  }

  close(): void {
    clearTimeout(this.#waiting);
    clearTimeout(this.#reading);
  }

  show(): void {
    translate(this.#form, words);
    this.#edited();
    this.#showHistory();
  }

  /** Takes a bank code that the address names: `#check/37040044`. */
  open(): void {
    const [, blz] = /^#check\/(\d{8})$/.exec(location.hash) ?? [];
    if (blz === undefined) return;
    history.replaceState(null, "", "#check");
    this.#fill("", "", blz);
    setTimeout(() => this.#input.focus());
  }

  /** Shows what the input is taken for and what is known of it, and plans the check. */
  #edited(): void {
    clearTimeout(this.#waiting);
    const read = this.#read();
    const question = read ?? { hint: words.tooLong, takesBic: true };
    const { numbers = [], offer, hint = "", takesBic = false, takesBlz = false } = question;
    this.#blz.parentElement!.hidden = !takesBlz;
    this.#bic.parentElement!.hidden = !takesBic;
    this.#numbers = numbers;
    const isOpen = numbers.some((each) => this.#session.checks.known(each) === undefined);
    const isAsked = isOpen && this.#asked === keysOf(numbers);
    this.#cleaned.textContent = question.cleaned ?? "";
    this.#action.hidden = offer === undefined || !isOpen || isAsked;
    this.#action.textContent = offer ?? "";
    this.#say(isAsked ? words.busy : hint, read === undefined);
    this.#result.ariaBusy = String(isAsked);
    this.#show(offer === undefined, hint);
    const pause = question.isDoubtful ? pauses.doubtful : pauses.complete;
    if (offer === undefined && isOpen && !isAsked) this.#waiting = setTimeout(() => this.#ask(), pause);
  }

  /** Shows what is known: a verdict, a list, or the number that is asked about unbidden, otherwise what can be entered. */
  #show(isUnbidden: boolean, hint: string): void {
    const checks = this.#numbers.map((request) => this.#session.checks.known(request) ?? { request });
    const [check] = checks;
    const isAny = checks.some((each) => "answer" in each);
    if (checks.length > 1 && isAny) {
      const list = listed(checks, (request) => this.#enter(request));
      const title = element("h2", "", words.found);
      this.#result.replaceChildren(element("section", "card suggestions", title, list));
      this.#speak(words.found);
    } else if (check !== undefined && "answer" in check) {
      const take = (suggestion: Suggestion) => {
        this.#enter("iban" in suggestion ? { iban: suggestion.iban, bic: this.#bic.value } : suggestion);
        void this.#ask();
      };
      this.#result.replaceChildren(resultView(check, take));
      const verdict = verdictWords[verdictOfAnswer(check.answer)][language];
      this.#speak([verdict, check.answer.data.bank, hint].filter(Boolean).join(". "));
    } else {
      this.#result.replaceChildren(check && isUnbidden ? pending(check.request) : introduction());
      this.#spoken.say("");
    }
  }

  /** Fills in the BIC that was found with the IBAN; one that was found with another goes with that. Returns whether there is another now. */
  #takeBic({ iban, bic = "" }: NonNullable<Question["found"]>): boolean {
    const before = this.#bic.value;
    const isTyped = before !== "" && before !== this.#withBic?.bic;
    if (isTyped || (bic === "" && iban === this.#withBic?.iban)) return false;
    this.#withBic = { iban, bic };
    this.#bic.value = bic;
    return bic !== before;
  }

  /** Grouped when it was pasted, never while typing: regrouping would move the caret. */
  #group(): void {
    const found = this.#read()?.found;
    if (found?.isAlone === true) this.#input.value = inFours(found.iban);
  }

  /** What the form asks; undefined where its text is too long to be searched, or has too many numbers. */
  #read(): Question | undefined {
    const text = this.#input.value;
    if (text.length > maxTextLength) return undefined;
    const isBicTyped = document.activeElement === this.#bic;
    const question = questionOf(text, { bic: this.#bic.value, blz: this.#blz.value, isBicTyped });
    if (question.found !== undefined && this.#takeBic(question.found)) return this.#read();
    return (question.numbers?.length ?? 0) > maxListed ? undefined : question;
  }

  /** Checks the numbers of the input, each once, and shows them, also where the service has stopped answering. */
  async #ask(): Promise<void> {
    const numbers = this.#numbers;
    const asked = keysOf(numbers);
    if (asked === "") return;
    this.#asked = asked;
    this.#edited();
    const fault = await this.#session.checks.makeAll(numbers);
    if (this.#asked === asked) this.#asked = "";
    this.#showHistory();
    if (keysOf(this.#numbers) !== asked) return;
    this.#edited();
    if (fault !== undefined) this.#failed(fault);
  }

  #fill(text: string, bic = "", blz = ""): void {
    this.#input.value = text;
    this.#bic.value = bic;
    this.#blz.value = blz;
    this.#edited();
    this.#input.focus();
  }

  /** Puts a number into the form as if it was typed. */
  #enter(request: AskedNumber): void {
    this.#withBic = "iban" in request ? request : undefined;
    if ("iban" in request) this.#fill(inFours(request.iban), request.bic);
    else this.#fill(`${request.kontonummer} ${request.bankleitzahl}`);
  }

  /** Shows a sentence at once, and has it read out when nothing has replaced it for a moment. */
  #say(text: string, isWrong = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#spoken.say(text), readingPause);
  }

  /** Has a sentence read out at once, in place of what is shown. */
  #speak(text: string): void {
    clearTimeout(this.#reading);
    this.#spoken.say(text);
  }

  /** Says why there is no answer, after how many numbers have none, and asks again once the service is less busy. */
  #failed(error: unknown): void {
    clearTimeout(this.#waiting);
    const all = this.#numbers.length;
    const count = this.#numbers.filter((each) => this.#session.checks.known(each) === undefined).length;
    const unchecked = all === 1 ? "" : `${filled(words.notChecked, { count, all })} `;
    if (error instanceof BankcheckError && error.isBusy) {
      this.#say(unchecked + words.occupied);
      this.#waiting = setTimeout(() => this.#ask(), error.retryAfter ?? busyPause);
      return;
    }
    this.#say(unchecked + this.#session.sentenceOf(error), true);
    this.#action.textContent = words.again;
    this.#action.hidden = false;
  }

  #showHistory(): void {
    this.#history.replaceChildren(...historyOf(this.#session.checks.all, (request) => this.#enter(request)));
  }
}

function keysOf(numbers: readonly AskedNumber[]): string {
  return numbers.map(keyOf).join();
}
