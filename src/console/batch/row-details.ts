import { Checks } from "../check/checks.ts";
import { resultView } from "../check/result.ts";
import { button, element, Notice } from "../element.ts";
import type { Session } from "../session.ts";
import { batchTexts, filled } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";

interface OpenedRow {
  readonly row: number;
  readonly numbers: CheckedNumbers;
}

/** The whole check of one row, above the table. */
export class RowDetails {
  readonly element = element("section", { className: "stack details", hidden: true });
  readonly #session: Session;
  readonly #closed: (row: number) => void;
  readonly #checks = new Checks();
  #opened: OpenedRow | undefined;

  /** `closed` is called with the row when its reader closes it. */
  constructor(session: Session, closed: (row: number) => void) {
    this.#session = session;
    this.#closed = closed;
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.element.querySelector<HTMLElement>(".bar button")?.click();
    });
  }

  /** Shows the check of a row, which counts as one more, and puts the focus on it. */
  async open(row: number, numbers: CheckedNumbers): Promise<void> {
    const opened = { row, numbers };
    this.#opened = opened;
    const shown = this.#show(opened);
    this.element.querySelector<HTMLElement>(".bar button")?.focus();
    await shown;
  }

  close(): void {
    this.element.hidden = true;
    this.#opened = undefined;
  }

  setLanguage(): void {
    if (this.#opened !== undefined) void this.#show(this.#opened);
  }

  async #show(opened: OpenedRow): Promise<void> {
    const { row, numbers } = opened;
    const { language } = this.#session;
    const words = batchTexts[language];
    const close = button("quiet", words.close, () => {
      this.close();
      this.#closed(row);
    });
    const title = filled(words.details, { row: numbers.rowNumber(row).toLocaleString(language) });
    const hint = element("span", "hint", words.countsOne);
    const head = element("div", "bar", element("h3", "", title), hint, close);
    const busy = new Notice();
    busy.say(words.loading);
    this.element.replaceChildren(head, busy.element);
    this.element.hidden = false;
    const result = await this.#checks.make(numbers.number(row), this.#session).then(
      (made) => resultView(made, language, undefined),
      (error: unknown) => element("p", "notice wrong", this.#session.sentenceOf(error)),
    );
    if (this.#opened === opened && this.#session.language === language) busy.element.replaceWith(result);
  }
}
