import { element } from "../element.ts";

/** A table whose rows are made when they are scrolled to. */
export interface RowSource {
  readonly count: number;
  /** The number of a row in the whole table, from 0. */
  numberOf(index: number): number;
  cells(index: number): readonly HTMLElement[];
}

/** Rows that are kept above and below those that can be seen. */
const margin = 6;

/** Shows rows of one height, of which only those in sight exist. */
export class VirtualRows {
  readonly element = element("div", "table");
  readonly #head = element("div", "head");
  readonly #body = element("div", "body");
  #source: RowSource = { count: 0, numberOf: (index) => index, cells: () => [] };
  #height = 0;
  #isDue = false;

  constructor() {
    this.element.role = "table";
    this.element.tabIndex = 0;
    this.#head.role = "row";
    this.#body.role = "rowgroup";
    const heads = element("div", "heads", this.#head);
    heads.role = "rowgroup";
    this.element.append(heads, this.#body);
    this.element.addEventListener("scroll", () => this.refresh());
    new ResizeObserver(() => {
      this.#height = 0;
      this.refresh();
    }).observe(this.element);
  }

  name(label: string, columns: readonly { readonly name: string; readonly text: string }[]): void {
    this.element.ariaLabel = label;
    this.element.setAttribute("aria-colcount", String(columns.length));
    this.#head.setAttribute("aria-rowindex", "1");
    this.#head.replaceChildren(
      ...columns.map(({ name, text }) => {
        const head = element("span", name, text);
        head.role = "columnheader";
        return head;
      }),
    );
  }

  /** Shows other rows, where it is scrolled to. */
  show(source: RowSource): void {
    this.#source = source;
    this.refresh();
  }

  toTop(): void {
    this.element.scrollTop = 0;
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
    const { count } = this.#source;
    this.element.setAttribute("aria-rowcount", String(count + 1));
    if (count > 0 && this.#height === 0) this.#measure();
    this.#body.style.height = `${count * this.#height}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / (this.#height || 1)) - margin);
    const seen = Math.ceil(this.element.clientHeight / (this.#height || 1)) + 2 * margin;
    const rows: HTMLElement[] = [];
    for (let index = first; index < Math.min(count, first + seen); index++) rows.push(this.#row(index));
    this.#body.replaceChildren(...rows);
  }

  #measure(): void {
    const row = this.#row(0);
    this.#body.replaceChildren(row);
    this.#height = row.offsetHeight;
  }

  #row(index: number): HTMLElement {
    const cells = this.#source.cells(index);
    for (const cell of cells) cell.role = "cell";
    const row = element("div", "row", ...cells);
    row.role = "row";
    row.setAttribute("aria-rowindex", String(this.#source.numberOf(index) + 2));
    row.style.top = `${index * this.#height}px`;
    return row;
  }
}
