import { pageTexts } from "./words.ts";

type Content = string | Node;

/** Creates an element with a class, or with properties, and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: string | Partial<HTMLElementTagNameMap[Name]>,
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.assign(made, typeof properties === "string" ? { className: properties } : properties);
  made.append(...content);
  return made;
}

export function button(className: string, text: Content, pressed: () => void): HTMLButtonElement {
  const made = element("button", { className, type: "button" }, text);
  made.onclick = pressed;
  return made;
}

/** Creates a text that `translate` puts in, by its id. */
export function worded(id: string): HTMLElement {
  const made = element("span", "");
  made.dataset["text"] = id;
  return made;
}

export function card(title: string, ...content: Content[]): HTMLElement {
  return element("section", "card stack tight", element("h2", "", title), ...content);
}

export function labelled(text: Content, field: HTMLElement, className = ""): HTMLLabelElement {
  return element("label", className, element("span", "", text), field);
}

/** A value in words, or the `dd` that shows it. */
type Value = string | HTMLElement;

function described(value: Value, more: readonly Node[] = []): HTMLElement {
  return typeof value === "string" ? element("dd", "", value, ...more) : value;
}

/** Creates a figure with its name, one of several in a `dl`. */
export function figure(name: HTMLElement | string, value: Value): HTMLElement {
  const term = typeof name === "string" ? element("dt", "", name) : name;
  return element("div", "", term, described(value));
}

/** A fact: its name, its value and what belongs to it; without a value it is left out. */
export type Fact = readonly [name: string, value: Value | null | undefined, ...more: Node[]];

export function factList(facts: readonly Fact[]): HTMLElement {
  const rows = facts.flatMap(([name, value, ...more]) =>
    value ? [element("dt", "", name), described(value, more)] : [],
  );
  return element("dl", { className: "facts", hidden: rows.length === 0 }, ...rows);
}

export function tableRow(cells: readonly Content[], className = ""): HTMLTableRowElement {
  const made = cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : element("td", "", cell)));
  return element("tr", className, ...made);
}

export function amount(text: string): HTMLTableCellElement {
  return element("td", "amount", text);
}

/** The name of a table's column, and whether it holds numbers. */
export type Column = readonly [name: string, isAmount?: boolean];

/** Creates a table that scrolls where it is wide; with a label the keyboard can scroll it. */
export function scrolledTable(
  columns: readonly Column[],
  rows: readonly Node[],
  label?: string,
): HTMLElement {
  const heads = columns.map(([name, isAmount = false]) =>
    element(name === "" ? "td" : "th", isAmount ? "amount" : "", name),
  );
  const table = element("table", "", element("thead", "", tableRow(heads)), element("tbody", "", ...rows));
  const scrolled = element("div", "scrolled", table);
  return label === undefined
    ? scrolled
    : Object.assign(scrolled, { tabIndex: 0, role: "group", ariaLabel: label });
}

/** A sentence on the state of what is beside it; screen readers read it out. */
export class Notice {
  readonly element: HTMLElement;

  constructor(className = "notice") {
    this.element = element("p", { className, role: "status" });
  }

  /** Changes the sentence only where it says something else, since every change is read out. */
  say(text: string, isWrong = false): HTMLElement {
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.classList.toggle("wrong", isWrong);
    return this.element;
  }
}

export function drawn(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...content: Content[]
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...content);
  return made;
}

/** The icons that `index.html` draws; a verdict has one, since it does not rest on colour alone. */
export type Icon = "copy" | "valid" | "doubtful" | "invalid" | "open" | "close" | "drop" | "print";

/** Creates an icon, which says nothing to a screen reader unless it has a label. */
export function icon(name: Icon, label?: string): SVGElement {
  const meaning = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const attributes = { class: "icon", viewBox: "0 0 16 16", ...meaning };
  return drawn("svg", attributes, drawn("use", { href: `#icon-${name}` }));
}

/** Creates a button that an icon stands for; a screen reader and the pointer get its name. */
export function iconButton(
  name: Icon,
  label: string,
  pressed: () => void,
  ...text: string[]
): HTMLButtonElement {
  const made = button("quiet", icon(name), pressed);
  made.append(...text);
  return Object.assign(made, { ariaLabel: label, title: label });
}

/** How long a button says that it has copied. */
const confirmationMs = 1_500;

/** Returns a button that copies a text, and says so for a moment, to a screen reader too, which hears the name of what is copied. */
export function copyButton(
  textOf: () => string,
  name?: string,
  copy?: string,
  ...text: string[]
): HTMLButtonElement {
  const spoken = () => (copy ?? pageTexts.copy) + (name === undefined ? "" : `: ${name}`);
  const show = (shown: Icon, label: string) => {
    copying.replaceChildren(icon(shown), ...text);
    copying.ariaLabel = copying.title = label;
  };
  const copying = button("quiet", "", async () => {
    await copyText(textOf());
    show("valid", pageTexts.copied);
    setTimeout(() => show("copy", spoken()), confirmationMs);
  });
  show("copy", spoken());
  copying.classList.add("copy");
  return Object.assign(copying, { ariaLive: "polite" });
}

/** Copies by the clipboard's interface or, where the page has none for lack of TLS or may not use it, by selecting. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {}
  const focused = document.activeElement;
  const field = element("textarea", { className: "offscreen", value: text });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}

/** Puts the texts of a language into the elements that name one in `data-text`. */
export function translate(within: ParentNode, words: object): void {
  for (const named of within.querySelectorAll<HTMLElement>("[data-text]"))
    named.textContent = (words as Readonly<Record<string, string>>)[named.dataset["text"]!]!;
}
