import type { MadeCheck } from "../check/checks.ts";
import { resultView, type Suggestion } from "../check/result.ts";
import { button, element, iconButton, Notice } from "../element.ts";
import type { Session } from "../session.ts";
import { batchTexts, language } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import { messageIn } from "./results.ts";
import { checkNumbers } from "./run.ts";
import type { VirtualRows } from "./virtual-rows.ts";

/** How long a correction waits for a service that is busy or away, in milliseconds. */
const maxCorrectionMs = 10_000;

/** One row beside the table: what its check found, and the whole check where that is asked for. */
export class RowDetails {
  readonly element = element("section", { className: "stack details", hidden: true });
  readonly #session: Session;
  readonly #shown: VirtualRows;
  readonly #corrected: () => void;
  #opened: { readonly numbers: CheckedNumbers; readonly place: number } | undefined;
  /** The places of numbers that are being checked. */
  readonly #waiting = new Set<number>();

  constructor(session: Session, shown: VirtualRows, corrected: () => void) {
    this.#session = session;
    this.#shown = shown;
    this.#corrected = corrected;
    this.element.onkeydown = (event) => {
      if (event.key === "Escape") this.#buttons.at(-1)?.click();
    };
  }

  get #buttons(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>(":scope > :first-child button")];
  }

  /** Shows what is known of a number, and puts the focus there: on the button that led to it, or on the last one. */
  open(numbers: CheckedNumbers, place: number | undefined): void {
    if (place === undefined) return;
    const pressed = this.#buttons.indexOf(document.activeElement as HTMLElement);
    this.#opened = { numbers, place };
    this.show();
    this.#buttons.at(pressed)?.focus();
  }

  close(): void {
    this.element.hidden = true;
    this.#opened = undefined;
  }

  /** Shows the open number in the language of the page. */
  show(): void {
    if (this.#opened === undefined) return;
    const { numbers, place } = this.#opened;
    const words = batchTexts;
    const close = iconButton("close", words.close, () => {
      this.close();
      this.#shown.focus(place);
    });
    const step = (name: string, by: number) =>
      iconButton("open", name, () => this.open(numbers, this.#shown.after(place, by)));
    const title = `${words.number} ${numbers.rowNumber(place).toLocaleString(language)}`;
    const [before, after] = [step(words.previous, -1), step(words.next, 1)];
    before.classList.add("back");
    this.element.replaceChildren(element("div", "bar", element("h3", "", title), before, after, close));
    this.element.hidden = false;
    const { number } = numbers.read(place);
    const whole = this.#session.checks.known(number);
    const made = whole ?? foundBefore(numbers, place);
    const correct = (suggestion: Suggestion) =>
      void this.#waitFor(numbers, place, () => this.#correct(numbers, place, suggestion));
    if (made !== undefined) this.element.append(resultView(made, correct));
    if (whole !== undefined) return;
    const make = button("", words.whole, () =>
      this.#waitFor(numbers, place, () => this.#session.checks.make(number)),
    );
    this.element.append(element("p", "bar", make, element("span", "hint", words.countsOne)));
  }

  /** Makes a check that counts, one at a time for each number, and says why it fails. */
  async #waitFor(numbers: CheckedNumbers, place: number, check: () => Promise<unknown>): Promise<void> {
    if (this.#waiting.has(place)) return;
    this.#waiting.add(place);
    const busy = new Notice();
    this.element.append(busy.say(batchTexts.loading));
    try {
      await check();
      const opened = this.#opened;
      if (opened?.numbers === numbers && opened.place === place) this.open(numbers, place);
    } catch (error) {
      busy.say(this.#session.sentenceOf(error), true);
    }
    this.#waiting.delete(place);
  }

  /** Puts a suggestion in the place of a number once it is checked. */
  async #correct(numbers: CheckedNumbers, place: number, suggestion: Suggestion): Promise<void> {
    const corrected =
      "iban" in suggestion
        ? { iban: suggestion.iban }
        : { kontonummer: suggestion.kontonummer, bankleitzahl: suggestion.bankleitzahl };
    const asked = { ...numbers.read(place).number, ...corrected };
    const signal = AbortSignal.timeout(maxCorrectionMs);
    numbers.results.add(place, await checkNumbers(this.#session, [asked], signal));
    numbers.correct(place, Object.values(corrected));
    this.#corrected();
  }
}

/** What a batch found of a number, as a check of it alone would be. */
function foundBefore(numbers: CheckedNumbers, place: number): MadeCheck | undefined {
  const verdict = numbers.results.of(place);
  if (typeof verdict?.status !== "number") return undefined;
  const { number } = numbers.read(place);
  const iban = "iban" in number ? number.iban : (verdict.iban ?? null);
  const message = messageIn(language, verdict);
  const answer = { status: verdict.status, message, data: { kto: "", ...verdict, iban } };
  return { request: number, answer, at: Date.now() } as MadeCheck;
}
