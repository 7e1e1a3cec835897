import { inFours, SHORTEST_IBAN } from "../../banking/iban/normalise.ts";
import { composedUkIban, hasIsoCheckDigits } from "../../banking/reader/iban-forms.ts";
import { BankcheckError } from "../../client/errors.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { button, element, labelled, Notice } from "../element.ts";
import type { Session, View } from "../session.ts";
import { checkTexts, filled } from "../words.ts";
import { Checks, keyOf, type MadeCheck } from "./checks.ts";
import { foundNumbers, historyOf } from "./lists.ts";
import { cleanedNote, lengthHint, type Recognised, recognise } from "./recognise.ts";
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
/** Checks of one text that are on their way together. */
const inFlight = 4;

interface IbanWithBic {
  readonly iban: string;
  readonly bic?: string | undefined;
}

/** Checks one number: an IBAN with or without its BIC, or an account number with its bank code. */
export class CheckView implements View {
  readonly needsKey = true;
  readonly content: readonly HTMLElement[];
  readonly #session: Session;
  readonly #checks = new Checks();
  readonly #form = element("form", { id: "check-form", autocomplete: "off" });
  readonly #input = element("textarea", { id: "input", rows: 2 });
  readonly #bic = element("input", { id: "bic" });
  readonly #blz = element("input", { id: "blz", inputMode: "numeric" });
  readonly #labels = { input: new Text(), bic: new Text(), blz: new Text() };
  readonly #cleaned = element("p", "hint");
  readonly #notice = element("p", "notice");
  readonly #action = button("quiet", "", () => this.#act());
  /** A screen reader reads out this sentence, not the whole result. */
  readonly #spoken = new Notice("offscreen");
  readonly #result = element("div", { id: "verdict", className: "fresh" });
  readonly #history = element("aside", "history no-print");
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  /** The input asks for this now; an answer to anything else is not shown. */
  #wanted: AskedNumber | undefined;
  /** The same two numbers the other way round, where the input does not say which is the bank code. */
  #otherOrder: AskedNumber | undefined;
  #isTooLong = false;
  /** Whether the numbers of a text are on their way. */
  #isListing = false;
  #shown: MadeCheck | undefined;
  /** Which part of the input the check leaves out, said beside its result. */
  #remark = "";
  /** An IBAN whose BIC was found with it, and not typed. */
  #withBic: IbanWithBic | undefined;

  constructor(session: Session) {
    this.#session = session;
    this.#action.hidden = true;
    for (const field of [this.#input, this.#bic, this.#blz]) {
      field.spellcheck = false;
      field.autocapitalize = "characters";
      field.addEventListener("focus", () => field.select());
    }
    this.#form.append(
      labelled(this.#labels.input, this.#input),
      labelled(this.#labels.blz, this.#blz),
      labelled(this.#labels.bic, this.#bic),
    );
    const state = [this.#notice, this.#action, this.#spoken.element];
    const left = element("div", "stack", this.#form, this.#cleaned, ...state);
    this.content = [element("div", "check", left, this.#result, this.#history)];
    this.#form.addEventListener("input", () => this.#edited());
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#form.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("paste", () => setTimeout(() => this.#group()));
    addEventListener("hashchange", () => this.open());
    addEventListener("online", () => {
      if (this.#notice.classList.contains("wrong")) void this.#check();
    });
  }

  close(): void {
    clearTimeout(this.#waiting);
    clearTimeout(this.#reading);
  }

  show(): void {
    const words = this.#words;
    this.#labels.input.textContent = words.input;
    this.#labels.bic.textContent = words.bic;
    this.#labels.blz.textContent = words.blz;
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

  get #words() {
    return checkTexts[this.#session.language];
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
    const words = this.#words;
    const found = this.#recognise();
    const isBlzWanted = found.kind === "account" ? found.blz === undefined : found.kind === "empty";
    this.#blz.parentElement!.hidden = !isBlzWanted || (found.kind === "empty" && this.#blz.value === "");
    this.#bic.parentElement!.hidden =
      found.kind === "account" || found.kind === "blz" || found.kind === "numbers";
    this.#wanted = this.#otherOrder = undefined;
    this.#action.hidden = true;
    this.#cleaned.textContent = this.#remark = "";
    let hint = "";
    let isDoubtful = false;
    let listed: readonly MadeCheck[] | undefined;
    if (found.kind === "empty")
      hint = this.#blz.value === "" ? words.empty : filled(words.needsAccount, { blz: this.#blz.value });
    else if (found.kind === "iban") {
      this.#takeBic(found);
      const bic = this.#bic.value.replace(/\s/g, "").toUpperCase();
      const isBic = /^[A-Z0-9]{8}([A-Z0-9]{3})?$/.test(bic);
      this.#wanted = isBic ? { iban: found.iban, bic } : { iban: found.iban };
      // Three characters more may follow.
      const isBicTyped = bic.length === 8 && document.activeElement === this.#bic;
      isDoubtful = !hasIsoCheckDigits(found.iban) || (bic !== "" && !isBic) || isBicTyped;
      if (bic !== "" && !isBic) this.#remark = hint = words.bicLength;
      this.#cleaned.textContent = cleanedNote(found, words);
    } else if (found.kind === "account") {
      const blz = found.blz ?? this.#blz.value.replace(/\D/g, "");
      if (blz.length === 8) this.#wanted = { kontonummer: found.kontonummer, bankleitzahl: blz };
      else hint = words.needsBlz;
      if (found.inAnyOrder) this.#otherOrder = { kontonummer: blz, bankleitzahl: found.kontonummer };
      isDoubtful = true;
    } else if (found.kind === "british") {
      const bic = this.#bic.value.replace(/\s/g, "").toUpperCase();
      if (/^[A-Z]{4}GB[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic))
        this.#wanted = { iban: composedUkIban(bic, found.sortCode, found.account), bic };
      else hint = words.needsUkBank;
    } else if (found.kind === "blz") {
      const have = found.blz.length;
      hint = filled(have === 8 ? words.needsAccount : words.shorter, { blz: found.blz, have, length: 8 });
    } else if (found.kind === "partial") {
      hint = lengthHint(found, words);
      this.#cleaned.textContent = cleanedNote(found, words);
      const asItIs = { iban: found.iban };
      if (this.#checks.known(asItIs) !== undefined) this.#wanted = asItIs;
      else if (found.iban.length >= SHORTEST_IBAN && !/^\d/.test(found.iban)) this.#offer(words.checkAnyway);
    } else if (found.kind === "text") hint = this.#isTooLong ? words.tooLong : words.noneFound;
    else {
      const made = found.numbers.flatMap((number) => this.#checks.known(number) ?? []);
      if (made.length === found.numbers.length) listed = made;
      else if (!this.#isListing) this.#offer(filled(words.checkAll, { count: found.numbers.length }));
    }
    this.#say(hint, this.#isTooLong);
    if (!this.#isWanted(this.#shown?.request)) this.#clear();
    if (listed !== undefined) this.#list(listed);
    if (this.#wanted === undefined) return;
    const known = this.#checks.known(this.#wanted);
    if (known !== undefined) this.#showResult(known);
    else this.#waiting = setTimeout(() => this.#check(), isDoubtful ? pauses.doubtful : pauses.complete);
  }

  /** Fills in the BIC that was found with the IBAN; one that was found with another goes with that. */
  #takeBic({ iban, bic }: IbanWithBic): void {
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

  #offer(action: string): void {
    this.#action.textContent = action;
    this.#action.hidden = false;
  }

  #recognise(): Recognised {
    const text = this.#input.value;
    this.#isTooLong = text.length > maxTextLength;
    if (this.#isTooLong) return { kind: "text" };
    const found = recognise(text);
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

  /** Checks the numbers of a text, each once, and lists them. */
  async #checkAll(numbers: readonly AskedNumber[]): Promise<void> {
    this.#say(this.#words.busy);
    this.#isListing = true;
    const waiting = [...numbers];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await this.#checks.make(next, this.#session);
    };
    try {
      await Promise.all(Array.from({ length: inFlight }, lane));
      this.#edited();
    } catch (error) {
      waiting.length = 0;
      this.#failed(error);
    } finally {
      this.#isListing = false;
    }
    this.#showHistory();
  }

  #list(made: readonly MadeCheck[]): void {
    const { language } = this.#session;
    this.#result.replaceChildren(foundNumbers(made, language, (request) => this.#enter(request)));
    clearTimeout(this.#reading);
    this.#spoken.say(this.#words.found);
  }

  async #check(): Promise<void> {
    clearTimeout(this.#waiting);
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    this.#say(this.#words.busy);
    this.#result.ariaBusy = "true";
    try {
      const made = await this.#checks.make(wanted, this.#session);
      if (this.#isWanted(wanted)) this.#showResult(made);
      this.#showHistory();
    } catch (error) {
      if (this.#isWanted(wanted)) this.#failed(error);
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
    const isBlzUnknown = made.answer.data.messages?.some(({ id }) => id === "blz_unknown") ?? false;
    if (isBlzUnknown && this.#otherOrder !== undefined) {
      this.#wanted = this.#otherOrder;
      this.#otherOrder = undefined;
      void this.#check();
      return;
    }
    this.#shown = made;
    this.#say(this.#remark);
    clearTimeout(this.#reading);
    this.#result.ariaBusy = "false";
    this.#result.replaceChildren(
      resultView(made, this.#session.language, (suggestion) => this.#take(suggestion)),
    );
    const verdict = this.#words[verdictOfAnswer(made.answer)];
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
    this.#result.replaceChildren(
      this.#wanted === undefined ? introduction(this.#session.language) : pending(this.#wanted),
    );
    this.#result.ariaBusy = "false";
    this.#spoken.say("");
  }

  #failed(error: unknown): void {
    const words = this.#words;
    this.#clear();
    if (error instanceof BankcheckError && error.isBusy) {
      this.#say(words.occupied);
      this.#waiting = setTimeout(() => this.#check(), error.retryAfter ?? busyPause);
      return;
    }
    this.#say(this.#session.sentenceOf(error), true);
    this.#offer(words.again);
  }

  #showHistory(): void {
    this.#history.replaceChildren(
      ...historyOf(this.#checks.all, this.#session.language, (request) => this.#enter(request)),
    );
  }
}
