import type { MadeCheck } from "../check/checks.ts";
import { resultView, type Suggestion } from "../check/result.ts";
import { button, element, iconButton, Notice } from "../element.ts";
import type { Session } from "../session.ts";
import { batchTexts, language } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import { messageIn, type RowVerdict } from "./results.ts";

/** A number of the table and what is known of it. */
interface OpenedNumber {
  readonly place: number;
  readonly numbers: CheckedNumbers;
  readonly verdict: RowVerdict | undefined;
}

/** What the table and the results do for an opened row. */
interface DetailActions {
  /** The reader has closed a number. */
  closed(place: number): void;
  /** Another number is wanted: the one that many after this one, as they are shown. */
  step(place: number, by: number): void;
  /** A suggestion is to take a number's place in its row. Rejects as `Session.ask` does. */
  correct(place: number, suggestion: Suggestion): Promise<void>;
}

/** One row beside the table: what its check found, and the whole check where that is asked for. */
export class RowDetails {
  readonly element = element("section", { className: "stack details", hidden: true });
  readonly #session: Session;
  readonly #actions: DetailActions;
  #opened: OpenedNumber | undefined;
  /** The places of numbers that are being checked. */
  readonly #waiting = new Set<number>();

  constructor(session: Session, actions: DetailActions) {
    this.#session = session;
    this.#actions = actions;
    this.element.onkeydown = (event) => {
      if (event.key === "Escape") this.element.querySelector<HTMLElement>(".bar button:last-child")?.click();
    };
  }

  /** The place of the number that is shown; undefined if none is. */
  get place(): number | undefined {
    return this.#opened?.place;
  }

  /** Shows what is known of a number, and puts the focus there: on the button that led to it, or on the last one. */
  open(opened: OpenedNumber): void {
    const buttons = () => [...this.element.querySelectorAll<HTMLElement>(":scope > :first-child button")];
    const pressed = buttons().indexOf(document.activeElement as HTMLElement);
    this.#opened = opened;
    this.#show(opened);
    buttons().at(pressed)?.focus();
  }

  close(): void {
    this.element.hidden = true;
    this.#opened = undefined;
  }

  setLanguage(): void {
    if (this.#opened !== undefined) this.#show(this.#opened);
  }

  #show(opened: OpenedNumber): void {
    const { place, numbers, verdict } = opened;
    const words = batchTexts;
    const close = iconButton("close", words.close, () => {
      this.close();
      this.#actions.closed(place);
    });
    const step = (name: string, by: number) => iconButton("open", name, () => this.#actions.step(place, by));
    const title = `${words.number} ${numbers.rowNumber(place).toLocaleString(language)}`;
    const [before, after] = [step(words.previous, -1), step(words.next, 1)];
    before.classList.add("back");
    this.element.replaceChildren(element("div", "bar", element("h3", "", title), before, after, close));
    this.element.hidden = false;
    const request = numbers.number(place);
    const known = this.#session.checks.known(request);
    if (known !== undefined) this.#add(opened, known);
    else {
      if (typeof verdict?.status === "number") {
        const { status } = verdict;
        const own = "iban" in request ? request.iban : (verdict.iban ?? null);
        const message = messageIn(language, verdict);
        const answer = { status, message, data: { kto: "", ...verdict, iban: own } };
        this.#add(opened, { request, answer, at: Date.now() } as MadeCheck);
      }
      const whole = button("", words.whole, () => void this.#makeWhole(opened));
      this.element.append(element("p", "bar", whole, element("span", "hint", words.countsOne)));
    }
  }

  #add(opened: OpenedNumber, made: MadeCheck): void {
    const take = (suggestion: Suggestion) =>
      void this.#waitFor(opened, () => this.#actions.correct(opened.place, suggestion));
    this.element.append(resultView(made, take));
  }

  async #makeWhole(opened: OpenedNumber): Promise<void> {
    const number = opened.numbers.number(opened.place);
    await this.#waitFor(opened, () => this.#session.checks.make(number));
    if (this.#opened === opened) this.#show(opened);
  }

  /** Makes a check that counts, one at a time for each number, and says why it fails. */
  async #waitFor(opened: OpenedNumber, check: () => Promise<unknown>): Promise<void> {
    const { place } = opened;
    if (this.#waiting.has(place)) return;
    this.#waiting.add(place);
    const busy = new Notice();
    this.element.append(busy.say(batchTexts.loading));
    const fault = await check().then(
      () => "",
      (error: unknown) => this.#session.sentenceOf(error),
    );
    this.#waiting.delete(place);
    if (this.#opened === opened) busy.say(fault, true);
  }
}
