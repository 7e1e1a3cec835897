import { button, element } from "../element.ts";

/** A table whose rows are made when they are scrolled to. */
interface RowSource {
  readonly count: number;
  /** The number of a row in the whole table, from 0. */
  numberOf(index: number): number;
  /** What the cells of a row are made of. */
  stateOf(index: number): readonly unknown[];
  cells(index: number): readonly HTMLElement[];
}

interface RowActions {
  /** A column's header was chosen, by its name. */
  sort(column: string): void;
  /** A row was chosen, by its place among those shown. */
  open(index: number): void;
}

/** A column: its name and title, and how wide it is at least, in rem, and at most where it grows. */
type Column = readonly [name: string, title: string, minWidth: number, maxWidth?: string];

/** Between columns and beside them, as `batch.css` has them. */
const gapRem = 0.75;
const paddingRem = 1;

/** More rows are not printed: a thousand are some twenty pages. */
export const maxPrinted = 1_000;

/** Rows that are kept above and below those that can be seen. */
const margin = 4;

/** Shows rows of one height, of which only those in sight exist; each stays the same element, so that the focus stays on it. */
export class VirtualRows {
  readonly element = element("div", { className: "table", role: "table", tabIndex: 0 });
  readonly #head = element("div", { className: "head", role: "row" });
  readonly #body = element("div", { className: "body", role: "rowgroup" });
  #source: RowSource = { count: 0, numberOf: (index) => index, stateOf: () => [], cells: () => [] };
  /** Of which source and state a row shows the cells. */
  readonly #filled = new WeakMap<HTMLElement, readonly unknown[]>();
  #height = 0;
  #isDue = false;
  readonly #actions: RowActions;

  constructor(actions: RowActions) {
    this.#actions = actions;
    this.element.append(element("div", { className: "heads", role: "rowgroup" }, this.#head), this.#body);
    this.element.onscroll = () => this.refresh();
    this.#body.onclick = (event) => this.#chosen(event.target);
    this.element.onkeydown = (event) => this.#key(event);
    new ResizeObserver(() => {
      this.#height = 0;
      this.refresh();
    }).observe(this.element);
  }

  /** Names and sizes the table and its columns; `characters` is the length of the numbers in it. */
  name(label: string, columns: readonly Column[], characters: number): void {
    const tracks = columns.map(([, , min, max]) =>
      max === undefined ? `${min}rem` : `minmax(${min}rem, ${max})`,
    );
    const { style } = this.element;
    let left = paddingRem;
    for (const [index, [, , min]] of columns.entries()) {
      style.setProperty(`--left-${index}`, `${left}rem`);
      left += min + gapRem;
    }
    style.setProperty("--columns", tracks.join(" "));
    style.setProperty("--width", `${left - gapRem + paddingRem}rem`);
    style.setProperty("--characters", String(characters));
    this.element.ariaLabel = label;
    this.element.setAttribute("aria-colcount", String(columns.length));
    this.#head.setAttribute("aria-rowindex", "1");
    this.#head.replaceChildren(
      ...columns.map(([name, title]) => {
        const sort = button("link sort", title, () => this.#actions.sort(name));
        const head = element("span", { className: name, role: "columnheader", title }, sort);
        head.dataset["column"] = name;
        return head;
      }),
    );
  }

  /** Shows other rows, where it is scrolled to. */
  show(source: RowSource): void {
    this.#source = source;
    this.refresh();
  }

  markSorted(column: string | undefined, isDescending: boolean): void {
    for (const head of this.#head.children) {
      const isSorted = (head as HTMLElement).dataset["column"] === column;
      head.ariaSort = isSorted ? (isDescending ? "descending" : "ascending") : "none";
    }
  }

  /** Puts the focus on a row, by its place among those shown, and scrolls it into sight. */
  focus(index: number): void {
    if (index < 0 || index >= this.#source.count) return;
    const { scrollTop, clientHeight } = this.element;
    const top = index * this.#height;
    const shown = clientHeight - this.#head.offsetHeight;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.#height > scrollTop + shown) this.element.scrollTop = top + this.#height - shown;
    this.#draw();
    this.#rowAt(index)?.focus();
  }

  /** Arrow keys go from row to row, Enter opens one. */
  #key(event: KeyboardEvent): void {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".row") : null;
    if (event.key === "Enter" && row !== null) {
      // The button that it opens takes the focus, and would be pressed too.
      event.preventDefault();
      row.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || (row === null && event.target !== this.element)) return;
    event.preventDefault();
    const first = Math.ceil(this.element.scrollTop / (this.#height || 1));
    this.focus(row === null ? first : Number(row.dataset["index"]) + step);
  }

  #rowAt(index: number): HTMLElement | null {
    return this.#body.querySelector<HTMLElement>(`[data-index="${index}"]`);
  }

  #chosen(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest<HTMLElement>(".row") : null;
    if (row !== null) this.#actions.open(Number(row.dataset["index"]));
  }

  /** Makes the first rows for a printer, which cannot scroll, until the next `refresh`. */
  print(): void {
    const rows = Array.from({ length: Math.min(this.#source.count, maxPrinted) }, (_, index) =>
      this.#row(index),
    );
    this.#body.style.height = "auto";
    this.#body.replaceChildren(...rows);
  }

  /** Shows what has changed of the rows, at the next frame. */
  refresh(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw(): void {
    // On paper, all rows would be in sight.
    if (matchMedia("print").matches) {
      this.print();
      return;
    }
    const { count } = this.#source;
    this.element.setAttribute("aria-rowcount", String(count + 1));
    if (count > 0 && this.#height === 0) this.#measure();
    this.#body.style.height = `${count * this.#height}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / (this.#height || 1)) - margin);
    const seen = Math.ceil(this.element.clientHeight / (this.#height || 1)) + 2 * margin;
    const last = Math.min(count, first + seen);
    const shown = new Map<number, HTMLDivElement>();
    for (const row of [...this.#body.children] as HTMLDivElement[]) {
      const index = Number(row.dataset["index"]);
      if (index >= first && index < last) shown.set(index, row);
      else {
        // Scrolled out of sight, the table itself keeps the focus.
        if (row.contains(document.activeElement)) this.element.focus({ preventScroll: true });
        row.remove();
      }
    }
    let next: HTMLElement | null = null;
    for (let index = last - 1; index >= first; index--) {
      const row = this.#row(index, shown.get(index));
      if (!row.isConnected) this.#body.insertBefore(row, next);
      next = row;
    }
  }

  #measure(): void {
    const row = this.#row(0);
    this.#body.append(row);
    this.#height = row.offsetHeight;
    row.remove();
  }

  /** Fills the row of a place, unless it shows what it is made of already. */
  #row(index: number, row = element("div", { className: "row", role: "row", tabIndex: -1 })): HTMLElement {
    row.ariaRowIndex = String(this.#source.numberOf(index) + 2);
    row.dataset["index"] = String(index);
    row.style.top = `${index * this.#height}px`;
    const state = [this.#source, ...this.#source.stateOf(index)];
    const filled = this.#filled.get(row);
    if (state.every((part, place) => part === filled?.[place])) return row;
    this.#filled.set(row, state);
    const cells = this.#source.cells(index);
    for (const cell of cells) cell.role = "cell";
    row.replaceChildren(...cells);
    return row;
  }
}
