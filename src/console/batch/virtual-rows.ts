import { button, element } from "../element.ts";

/** A table of which only some rows are shown, by their numbers from 0. */
interface RowSource {
  /** Changes whenever the cells do. */
  stateOf(row: number): readonly unknown[];
  cells(row: number): readonly HTMLElement[];
  sort(column: string): void;
  open(row: number): void;
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
  /** Those that are shown, in order. */
  rows: readonly number[] = [];
  readonly #head = element("div", { className: "head", role: "row", ariaRowIndex: "1" });
  readonly #body = element("div", { className: "body", role: "rowgroup" });
  readonly #source: RowSource;
  /** Which row an element shows, and in which state. */
  readonly #filled = new WeakMap<HTMLElement, readonly unknown[]>();
  #height = 0;
  #frame = 0;
  /** The place of the row that was opened last, among those shown then. */
  #openedAt = 0;

  constructor(source: RowSource) {
    this.#source = source;
    this.element.append(element("div", { className: "heads", role: "rowgroup" }, this.#head), this.#body);
    this.element.onscroll = () => this.#refresh();
    this.#body.onclick = ({ target }) => {
      const row = (target as Element).closest<HTMLElement>(".row");
      if (row === null) return;
      this.#openedAt = Number(row.dataset["index"]);
      source.open(this.rows[this.#openedAt]!);
    };
    this.element.onkeydown = (event) => this.#key(event);
    new ResizeObserver(() => {
      this.#height = 0;
      this.#refresh();
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
    this.#head.replaceChildren(
      ...columns.map(([name, title]) => {
        const sort = button("link sort", title, () => this.#source.sort(name));
        const head = element("span", { className: name, role: "columnheader", title }, sort);
        head.dataset["column"] = name;
        return head;
      }),
    );
  }

  /** Shows rows at the next frame, where the table is scrolled to; those that have not changed are not drawn again. */
  show(rows: readonly number[], sortedBy: string | undefined, isDescending: boolean): void {
    for (const head of this.#head.children) {
      const isSorted = (head as HTMLElement).dataset["column"] === sortedBy;
      head.ariaSort = isSorted ? (isDescending ? "descending" : "ascending") : "none";
    }
    this.rows = rows;
    this.#refresh();
  }

  /** The row that is shown `by` places after another one; undefined if there is none. */
  after(row: number, by: number): number | undefined {
    const at = this.rows.indexOf(row);
    // A row that its correction took out of those shown left its place to the next one.
    const index = at < 0 ? this.#openedAt + Math.min(by, 0) : at + by;
    const found = this.rows[index];
    if (found !== undefined) this.#openedAt = index;
    return found;
  }

  /** Puts the focus on a row, or on the one in its place where it is not shown any more. */
  focus(row: number): void {
    const at = this.rows.indexOf(row);
    this.#focusAt(at < 0 ? Math.min(this.#openedAt, this.rows.length - 1) : at);
  }

  #focusAt(index: number): void {
    if (index < 0 || index >= this.rows.length) return;
    const { scrollTop, clientHeight } = this.element;
    const top = index * this.#height;
    const shown = clientHeight - this.#head.offsetHeight;
    this.element.scrollTop = Math.min(top, Math.max(scrollTop, top + this.#height - shown));
    this.#draw();
    this.#body.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }

  /** Arrow keys go from row to row, Enter opens one. */
  #key(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>(".row");
    if (event.key === "Enter" && row !== null) {
      // The button that it opens takes the focus, and would be pressed too.
      event.preventDefault();
      row.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || (row === null && event.target !== this.element)) return;
    event.preventDefault();
    const first = Math.ceil(this.element.scrollTop / (this.#height || 1));
    this.#focusAt(row === null ? first : Number(row.dataset["index"]) + step);
  }

  /** Makes the first rows for a printer, which cannot scroll, until rows are shown again. */
  print(): void {
    this.#body.style.height = "auto";
    this.#body.replaceChildren(...this.rows.slice(0, maxPrinted).map((_, index) => this.#row(index)));
  }

  #refresh(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    // On paper, all rows would be in sight.
    if (matchMedia("print").matches) {
      this.print();
      return;
    }
    const count = this.rows.length;
    this.element.setAttribute("aria-rowcount", String(count + 1));
    if (count > 0 && this.#height === 0) {
      const row = this.#row(0);
      this.#body.append(row);
      this.#height = row.offsetHeight;
      row.remove();
    }
    this.#body.style.height = `${count * this.#height}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / (this.#height || 1)) - margin);
    const seen = Math.ceil(this.element.clientHeight / (this.#height || 1)) + 2 * margin;
    const last = Math.min(count, first + seen);
    const drawn = [...this.#body.children] as HTMLDivElement[];
    const shown = new Map(drawn.map((row) => [Number(row.dataset["index"]), row]));
    for (const [index, row] of shown) {
      if (index >= first && index < last) continue;
      // Scrolled out of sight, the table itself keeps the focus.
      if (row.contains(document.activeElement)) this.element.focus({ preventScroll: true });
      row.remove();
    }
    let next: HTMLElement | null = null;
    for (let index = last - 1; index >= first; index--) {
      const row = this.#row(index, shown.get(index));
      if (!row.isConnected) this.#body.insertBefore(row, next);
      next = row;
    }
  }

  /** Fills the row of a place, unless it shows what it is made of already. */
  #row(index: number, row = element("div", { className: "row", role: "row", tabIndex: -1 })): HTMLElement {
    const number = this.rows[index]!;
    row.ariaRowIndex = String(number + 2);
    row.dataset["index"] = String(index);
    row.style.top = `${index * this.#height}px`;
    const state = [number, ...this.#source.stateOf(number)];
    const filled = this.#filled.get(row);
    if (state.every((part, place) => part === filled?.[place])) return row;
    this.#filled.set(row, state);
    const cells = this.#source.cells(number);
    for (const cell of cells) cell.role = "cell";
    row.replaceChildren(...cells);
    return row;
  }
}
