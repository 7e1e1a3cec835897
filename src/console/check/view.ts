import { inFours } from "../../banking/iban/normalise.ts";
import { BankcheckError } from "../../client/errors.ts";
import { verdictWords } from "../../contract/verdict.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { button, element, labelled, Notice, translate, worded } from "../element.ts";
import type { Session, View } from "../session.ts";
import { filled, language, checkTexts as words } from "../words.ts";
import { type Checks, keyOf, type MadeCheck } from "./checks.ts";
import { foundNumbers, historyOf } from "./lists.ts";
import { questionOf } from "./question.ts";
import { type Recognised, recognise } from "./recognise.ts";
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
  readonly needsKey = true;
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #checks: Checks;
  readonly #form = element("form", { id: "check-form", autocomplete: "off" });
  readonly #input = element("textarea", { id: "input", rows: 2 });
  readonly #bic = element("input", { id: "bic" });
  readonly #blz = element("input", { id: "blz", inputMode: "numeric" });
  readonly #cleaned = element("p", "hint");
  readonly #notice = element("p", "notice");
  readonly #action = button("quiet", "", () => this.#act());
  /** A screen reader reads out this sentence, not the whole result. */
  readonly #spoken = new Notice("offscreen");
  readonly #result = element("div", { id: "verdict" });
  readonly #history = element("aside", "history no-print");
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  /** The input asks for this now; an answer to anything else is not shown. */
  #wanted: AskedNumber | undefined;
  #isTooLong = false;
  /** Whether the numbers of a text are on their way. */
  #isListing = false;
  #shown: MadeCheck | undefined;
  /** Which part of the input the check leaves out, said beside its result. */
  #remark = "";
  /** An IBAN whose BIC was found with it, and not typed. */
  #withBic: Extract<AskedNumber, { readonly iban: string }> | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#checks = session.checks;
    this.#action.hidden = true;
    for (const field of [this.#input, this.#bic, this.#blz]) {
      field.spellcheck = false;
      field.autocapitalize = "characters";
      field.onfocus = () => field.select();
    }
    this.#form.append(
      labelled(worded("input"), this.#input),
      labelled(worded("blz"), this.#blz),
      labelled(worded("bic"), this.#bic),
    );
    const state = [this.#notice, this.#action, this.#spoken.element];
    const left = element("div", "stack", this.#form, this.#cleaned, ...state);
    this.content = [element("div", "check", left, this.#result, this.#history)];
    this.#form.oninput = () => this.#edited();
    this.#form.onsubmit = (event) => event.preventDefault();
    this.#form.onkeydown = (event) => this.#key(event);
    this.#input.onpaste = () => setTimeout(() => this.#group());
    addEventListener("hashchange", () => this.open());
    addEventListener("online", () => {
      if (this.#notice.classList.contains("wrong")) this.#act();
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
    this.#input.value = this.#bic.value = "";
    this.#blz.value = blz;
    this.#edited();
    setTimeout(() => this.#input.focus());
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.#input.value = this.#bic.value = this.#blz.value = "";
      this.#input.focus();
      this.#edited();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (this.#wanted !== undefined) this.#check();
      else if (!this.#action.hidden) this.#act();
    }
  }

  /** Shows what the input is taken for, clears a verdict that is not about it, and plans the check. */
  #edited(): void {
    clearTimeout(this.#waiting);
    const found = this.#recognise();
    const isBlzWanted = found.kind === "account" ? found.blz === undefined : found.kind === "empty";
    this.#blz.parentElement!.hidden = !isBlzWanted || (found.kind === "empty" && this.#blz.value === "");
    const isBicTyped = document.activeElement === this.#bic;
    this.#bic.parentElement!.hidden =
      found.british === undefined &&
      (found.kind === "account" || found.kind === "blz" || (found.kind === "numbers" && !isBicTyped));
    if (found.kind === "iban") this.#takeBic(found);
    const question = questionOf(found, { bic: this.#bic.value, blz: this.#blz.value, isBicTyped });
    this.#wanted = question.wanted;
    this.#cleaned.textContent = question.cleaned ?? "";
    this.#remark = question.remark ?? "";
    const numbers = found.kind === "numbers" ? found.numbers : [];
    const known = numbers.filter((each) => this.#checks.known(each)).length;
    const isListed = found.kind === "numbers" && known === numbers.length;
    // What was checked as it is, though it is not complete, is shown again.
    if (found.kind === "partial" && this.#checks.known({ iban: found.iban }))
      this.#wanted = { iban: found.iban };
    const isOffered = this.#wanted === undefined && !isListed && !this.#isListing;
    this.#action.hidden = question.offer === undefined || !isOffered;
    this.#action.textContent = question.offer ?? "";
    this.#say(this.#isTooLong ? words.tooLong : (question.hint ?? ""), this.#isTooLong);
    if (!this.#isWanted(this.#shown?.request)) this.#clear();
    if (known > 0) this.#list(numbers);
    if (this.#wanted === undefined) return;
    const made = this.#checks.known(this.#wanted);
    const { complete, doubtful } = pauses;
    if (made !== undefined) this.#showResult(made);
    else this.#waiting = setTimeout(() => this.#check(), question.isDoubtful ? doubtful : complete);
  }

  /** Fills in the BIC that was found with the IBAN; one that was found with another goes with that. */
  #takeBic({ iban, bic }: Extract<Recognised, { readonly kind: "iban" }>): void {
    const isTyped = this.#bic.value !== "" && this.#bic.value !== this.#withBic?.bic;
    if (isTyped || (bic === undefined && iban === this.#withBic?.iban)) return;
    this.#withBic = { iban, bic: bic ?? "" };
    this.#bic.value = bic ?? "";
  }

  /** Grouped when it was pasted, never while typing: regrouping would move the caret. */
  #group(): void {
    const found = this.#recognise();
    if (found.kind === "iban" && !found.removed.includes("text")) this.#input.value = inFours(found.iban);
  }

  #recognise(): Recognised {
    const text = this.#input.value;
    this.#isTooLong = text.length > maxTextLength;
    if (this.#isTooLong) return { kind: "text" };
    const found = recognise(text, this.#bic.value);
    this.#isTooLong = found.kind === "numbers" && found.numbers.length > maxListed;
    return this.#isTooLong ? { kind: "text" } : found;
  }

  /** Does what the button offers: checks an incomplete number as it is, or all numbers of the text. */
  #act(): void {
    const found = this.#recognise();
    this.#action.hidden = true;
    if (found.kind === "partial") {
      this.#wanted = { iban: found.iban };
      this.#check();
    } else if (found.kind === "numbers") void this.#checkAll(found.numbers);
    else this.#check();
  }

  /** Checks the numbers of a text, each once, and lists them, also where the service has stopped answering. */
  async #checkAll(numbers: readonly AskedNumber[]): Promise<void> {
    const text = this.#input.value;
    this.#say(words.busy);
    this.#isListing = true;
    const fault = await this.#checks.makeAll(numbers);
    this.#isListing = false;
    this.#edited();
    this.#showHistory();
    if (fault === undefined || text !== this.#input.value) return;
    const count = numbers.filter((each) => !this.#checks.known(each)).length;
    this.#failed(fault, `${filled(words.notChecked, { count, all: numbers.length })} `);
  }

  #list(numbers: readonly AskedNumber[]): void {
    const known = numbers.map((request) => this.#checks.known(request) ?? { request });
    this.#result.replaceChildren(foundNumbers(known, (request) => this.#enter(request)));
    clearTimeout(this.#reading);
    this.#spoken.say(words.found);
  }

  async #check(): Promise<void> {
    clearTimeout(this.#waiting);
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    this.#say(words.busy);
    this.#result.ariaBusy = "true";
    try {
      const made = await this.#checks.make(wanted);
      if (this.#isWanted(wanted)) this.#showResult(made);
      this.#showHistory();
    } catch (error) {
      if (!this.#isWanted(wanted)) return;
      this.#clear();
      this.#failed(error);
    }
  }

  #isWanted(request: AskedNumber | undefined): boolean {
    return this.#wanted !== undefined && request !== undefined && keyOf(this.#wanted) === keyOf(request);
  }

  /** Puts a number into the form as if it was typed. */
  #enter(request: AskedNumber): void {
    this.#withBic = "iban" in request ? request : undefined;
    this.#input.value =
      "iban" in request ? inFours(request.iban) : `${request.kontonummer} ${request.bankleitzahl}`;
    this.#bic.value = this.#withBic?.bic ?? "";
    this.#edited();
    this.#input.focus();
  }

  #showResult(made: MadeCheck): void {
    this.#shown = made;
    this.#say(this.#remark);
    clearTimeout(this.#reading);
    this.#result.ariaBusy = "false";
    this.#result.replaceChildren(resultView(made, (suggestion) => this.#take(suggestion)));
    const verdict = verdictWords[verdictOfAnswer(made.answer)][language];
    this.#spoken.say([verdict, made.answer.data.bank, this.#remark].filter(Boolean).join(". "));
  }

  /** Shows a sentence at once, and has it read out when nothing has replaced it for a moment. */
  #say(text: string, isWrong = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("wrong", isWrong);
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => this.#spoken.say(text), readingPause);
  }

  #take(suggestion: Suggestion): void {
    const bic = this.#bic.value;
    this.#enter("iban" in suggestion ? { iban: suggestion.iban, bic } : suggestion);
    this.#check();
  }

  /** Takes away a verdict: until there is another, the number that is asked about, or what can be entered. */
  #clear(): void {
    this.#shown = undefined;
    this.#result.replaceChildren(this.#wanted === undefined ? introduction() : pending(this.#wanted));
    this.#result.ariaBusy = "false";
    this.#spoken.say("");
  }

  /** Says why there is no answer, after what was not checked for that, and asks again once the service is less busy. */
  #failed(error: unknown, unchecked = ""): void {
    if (error instanceof BankcheckError && error.isBusy) {
      this.#say(unchecked + words.occupied);
      this.#waiting = setTimeout(() => this.#act(), error.retryAfter ?? busyPause);
      return;
    }
    this.#say(unchecked + this.#session.sentenceOf(error), true);
    this.#action.textContent = words.again;
    this.#action.hidden = false;
  }

  #showHistory(): void {
    this.#history.replaceChildren(...historyOf(this.#checks.all, (request) => this.#enter(request)));
  }
}
