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

export type VirtualRows = ReturnType<typeof virtualRows>;

/** Shows rows of one height, of which only those in sight exist; each stays the same element, so that the focus stays on it. */
export function virtualRows(source: RowSource) {
  const head = element("div", { className: "head", role: "row", ariaRowIndex: "1" });
  const heads = element("div", { className: "heads", role: "rowgroup" }, head);
  const body = element("div", { className: "body", role: "rowgroup" });
  const table = element("div", { className: "table", role: "table", tabIndex: 0 }, heads, body);
  /** Those that are shown, in order. */
  let rows: readonly number[] = [];
  /** Which row an element shows, and in which state. */
  const filled = new WeakMap<HTMLElement, readonly unknown[]>();
  let height = 0;
  let frame = 0;
  /** The place of the row that was opened last, among those shown then. */
  let openedAt = 0;

  const rowOf = (target: EventTarget | null) => (target as Element).closest<HTMLElement>(".row");
  const placeOf = (row: HTMLElement) => Number(row.dataset["index"]);

  table.onscroll = refresh;
  body.onclick = ({ target }) => {
    const row = rowOf(target);
    if (row === null) return;
    openedAt = placeOf(row);
    source.open(rows[openedAt]!);
  };
  // Arrow keys go from row to row, Enter opens one.
  table.onkeydown = (event) => {
    const row = rowOf(event.target);
    if (event.key === "Enter" && row !== null) {
      // The button that it opens takes the focus, and would be pressed too.
      event.preventDefault();
      row.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || (row === null && event.target !== table)) return;
    event.preventDefault();
    focusAt(row === null ? Math.ceil(table.scrollTop / (height || 1)) : placeOf(row) + step);
  };
  new ResizeObserver(() => {
    height = 0;
    refresh();
  }).observe(table);

  /** Names and sizes the table and its columns; `characters` is the length of the numbers in it. */
  function name(label: string, columns: readonly Column[], characters: number): void {
    const { style } = table;
    let left = paddingRem;
    for (const [index, [, , min]] of columns.entries()) {
      style.setProperty(`--left-${index}`, `${left}rem`);
      left += min + gapRem;
    }
    const tracks = columns.map(([, , min, max]) =>
      max === undefined ? `${min}rem` : `minmax(${min}rem, ${max})`,
    );
    style.setProperty("--columns", tracks.join(" "));
    style.setProperty("--width", `${left - gapRem + paddingRem}rem`);
    style.setProperty("--characters", String(characters));
    table.ariaLabel = label;
    table.setAttribute("aria-colcount", String(columns.length));
    head.replaceChildren(
      ...columns.map(([name, title]) => {
        const sort = button("link sort", title, () => source.sort(name));
        const cell = element("span", { className: name, role: "columnheader", title }, sort);
        cell.dataset["column"] = name;
        return cell;
      }),
    );
  }

  /** Shows rows at the next frame, where the table is scrolled to; those that have not changed are not drawn again. */
  function show(shown: readonly number[], sortedBy: string | undefined, isDescending: boolean): void {
    for (const cell of head.children) {
      const isSorted = (cell as HTMLElement).dataset["column"] === sortedBy;
      cell.ariaSort = isSorted ? (isDescending ? "descending" : "ascending") : "none";
    }
    rows = shown;
    refresh();
  }

  /** The row that is shown `by` places after another one; undefined if there is none. */
  function after(row: number, by: number): number | undefined {
    const at = rows.indexOf(row);
    // A row that its correction took out of those shown left its place to the next one.
    const index = at < 0 ? openedAt + Math.min(by, 0) : at + by;
    if (index in rows) openedAt = index;
    return rows[index];
  }

  /** Puts the focus on a row, or on the one in its place where it is not shown any more. */
  function focus(row: number): void {
    const at = rows.indexOf(row);
    focusAt(at < 0 ? Math.min(openedAt, rows.length - 1) : at);
  }

  function focusAt(index: number): void {
    if (!(index in rows)) return;
    const { scrollTop, clientHeight } = table;
    const top = index * height;
    const shown = clientHeight - head.offsetHeight;
    table.scrollTop = Math.min(top, Math.max(scrollTop, top + height - shown));
    draw();
    body.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }

  /** Makes the first rows for a printer, which cannot scroll, until rows are shown again. */
  function print(): void {
    body.style.height = "auto";
    body.replaceChildren(...rows.slice(0, maxPrinted).map((_, index) => rowAt(index)));
  }

  function refresh(): void {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  }

  function draw(): void {
    // On paper, all rows would be in sight.
    if (matchMedia("print").matches) {
      print();
      return;
    }
    const count = rows.length;
    table.setAttribute("aria-rowcount", String(count + 1));
    if (count > 0 && height === 0) {
      const row = rowAt(0);
      body.append(row);
      height = row.offsetHeight;
      row.remove();
    }
    body.style.height = `${count * height}px`;
    const first = Math.max(0, Math.floor(table.scrollTop / (height || 1)) - margin);
    const seen = Math.ceil(table.clientHeight / (height || 1)) + 2 * margin;
    const last = Math.min(count, first + seen);
    const drawn = [...body.children] as HTMLDivElement[];
    const shown = new Map(drawn.map((row) => [placeOf(row), row]));
    for (const [index, row] of shown) {
      if (index >= first && index < last) continue;
      // Scrolled out of sight, the table itself keeps the focus.
      if (row.contains(document.activeElement)) table.focus({ preventScroll: true });
      row.remove();
    }
    let next: HTMLElement | null = null;
    for (let index = last - 1; index >= first; index--) {
      const row = rowAt(index, shown.get(index));
      if (!row.isConnected) body.insertBefore(row, next);
      next = row;
    }
  }

  /** Fills the row of a place, unless it shows what it is made of already. */
  function rowAt(index: number, row = element("div", { className: "row", role: "row", tabIndex: -1 })) {
    const number = rows[index]!;
    row.ariaRowIndex = String(number + 2);
    row.dataset["index"] = String(index);
    row.style.top = `${index * height}px`;
    const state = [number, ...source.stateOf(number)];
    if (state.every((part, place) => part === filled.get(row)?.[place])) return row;
    filled.set(row, state);
    const cells = source.cells(number);
    for (const cell of cells) cell.role = "cell";
    row.replaceChildren(...cells);
    return row;
  }

  return { element: table, rows: () => rows, name, show, after, focus, print };
}
