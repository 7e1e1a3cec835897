import type { MadeCheck } from "../check/checks.ts";
import { resultView, type Suggestion } from "../check/result.ts";
import { button, element, iconButton, Notice } from "../element.ts";
import type { Session } from "../session.ts";
import { language, batchTexts as words } from "../words.ts";
import type { CheckedNumbers } from "./columns.ts";
import { messageIn } from "./results.ts";
import { checkNumbers } from "./run.ts";
import type { VirtualRows } from "./virtual-rows.ts";

/** How long a correction waits for a service that is busy or away, in milliseconds. */
const maxCorrectionMs = 10_000;

interface Opened {
  readonly numbers: CheckedNumbers;
  readonly place: number;
}

/** One row beside the table: what its check found, and the whole check where that is asked for. */
export function rowDetails(session: Session, shown: VirtualRows, corrected: () => void) {
  const details = element("section", { className: "stack details", hidden: true });
  let opened: Opened | undefined;
  const waiting = new Set<Opened>();
  const buttons = () => [...details.querySelectorAll<HTMLElement>(":scope > :first-child button")];

  details.onkeydown = (event) => {
    if (event.key === "Escape") buttons().at(-1)?.click();
  };

  /** Shows what is known of a number, and puts the focus there: on the button that led to it, or on the last one. */
  function open(numbers: CheckedNumbers, place: number | undefined): void {
    if (place === undefined) return;
    const pressed = buttons().indexOf(document.activeElement as HTMLElement);
    opened = { numbers, place };
    show();
    buttons().at(pressed)?.focus();
  }

  function close(): void {
    details.hidden = true;
    opened = undefined;
  }

  function show(): void {
    if (opened === undefined) return;
    const asked = opened;
    const { numbers, place } = asked;
    const step = (name: string, by: number) =>
      iconButton("open", name, () => open(numbers, shown.after(place, by)));
    const title = `${words.number} ${numbers.rowNumber(place).toLocaleString(language)}`;
    const [before, after] = [step(words.previous, -1), step(words.next, 1)];
    before.classList.add("back");
    const closing = iconButton("close", words.close, () => {
      close();
      shown.focus(place);
    });
    details.replaceChildren(element("div", "bar", element("h3", "", title), before, after, closing));
    details.hidden = false;
    const { number } = numbers.read(place);
    const whole = session.checks.known(number);
    const made = whole ?? foundBefore(numbers, place);
    const correct = (suggestion: Suggestion) =>
      void waitFor(asked, async () => {
        await putIn(session, numbers, place, suggestion);
        corrected();
      });
    if (made !== undefined) details.append(resultView(made, correct));
    if (whole !== undefined) return;
    const make = button("", words.whole, () => waitFor(asked, () => session.checks.make(number)));
    details.append(element("p", "bar", make, element("span", "hint", words.countsOne)));
  }

  /** Makes a check that counts, one at a time for each number, and says why it fails. */
  async function waitFor(asked: Opened, check: () => Promise<unknown>): Promise<void> {
    const { numbers, place } = asked;
    const isAsked = (one?: Opened) => one?.numbers === numbers && one.place === place;
    if ([...waiting].some(isAsked)) return;
    waiting.add(asked);
    const busy = new Notice();
    details.append(busy.say(words.loading));
    try {
      await check();
      if (isAsked(opened)) open(numbers, place);
    } catch (error) {
      busy.say(session.sentenceOf(error), true);
    }
    waiting.delete(asked);
  }

  return { element: details, open, close, show };
}

/** Puts a suggestion in the place of a number once it is checked. */
async function putIn(session: Session, numbers: CheckedNumbers, place: number, suggestion: Suggestion) {
  const fields =
    "iban" in suggestion
      ? { iban: suggestion.iban }
      : { kontonummer: suggestion.kontonummer, bankleitzahl: suggestion.bankleitzahl };
  const asked = { ...numbers.read(place).number, ...fields };
  const signal = AbortSignal.timeout(maxCorrectionMs);
  numbers.results.add(place, await checkNumbers(session, [asked], signal));
  numbers.correct(place, Object.values(fields));
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
