import { button, element, Notice } from "../element.ts";
import type { Session, View } from "../session.ts";
import { referenceTexts } from "../words.ts";
import {
  type Content,
  fieldList,
  foldedPart,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  prose,
  readDocument,
} from "./document.ts";
import { samplesPanel, trialForm } from "./request.ts";

const documentFile = "/service/console/openapi.json";

/** How long an answer may take, in milliseconds: more than the service takes to refuse. */
const patienceMs = 30_000;

/** The interface of the service, from its OpenAPI document: readable without a key, to try with one. */
export class ReferenceView implements View {
  readonly needsKey = false;
  readonly #page = element("div", "");
  readonly content = [this.#page];
  readonly #session: Session;
  #document: OpenApiDocument | undefined;
  /** The description of each operation, which keeps its opened parts in every language. */
  readonly #texts = new Map<string, HTMLElement>();

  constructor(session: Session) {
    this.#session = session;
    addEventListener("hashchange", () => this.#scrollToAddressed());
  }

  open(): void {
    this.#page.replaceChildren();
  }

  /** In another language it keeps what was filled in and answered, and the place that was read. */
  show(): void {
    const [typed, answers, top] = [this.#fields.map(({ value }) => value), this.#answers, scrollY];
    void this.#load();
    for (const [index, field] of this.#fields.entries()) {
      if (field.value === (typed[index] ?? field.value)) continue;
      field.value = typed[index]!;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    for (const [index, { state, answer }] of this.#answers.entries()) {
      const old = answers[index];
      if (old === undefined || old.answer.hidden) continue;
      state.textContent = old.state.textContent;
      answer.textContent = old.answer.textContent;
      answer.hidden = false;
    }
    if (typed.length > 0) scrollTo(0, top);
  }

  get #fields() {
    return [...this.#page.querySelectorAll<HTMLInputElement>("input, select, textarea")];
  }

  /** The answers to all operations, with their status. */
  get #answers() {
    return [...this.#page.querySelectorAll<HTMLElement>(".proof .answer")].map((answer) => ({
      answer,
      state: answer.previousElementSibling!,
    }));
  }

  async #load(): Promise<void> {
    const words = referenceTexts[this.#session.language];
    if (this.#document === undefined) {
      this.#page.replaceChildren(element("p", "notice", words.loading));
      try {
        const answer = await fetch(documentFile);
        if (!answer.ok) throw new Error(answer.statusText);
        this.#document = readDocument(await answer.text());
      } catch {
        const again = button("quiet", words.again, () => void this.#load());
        this.#page.replaceChildren(element("div", "bar", element("p", "notice wrong", words.failed), again));
        return;
      }
    }
    this.#page.replaceChildren(this.#pageOf(this.#document));
    this.#scrollToAddressed();
  }

  #pageOf(document: OpenApiDocument): HTMLElement {
    const words = referenceTexts[this.#session.language];
    const operations = operationsOf(document);
    const shown = operations.map((operation) => ({
      operation,
      link: link(operation),
      view: operationView(operation, this.#textOf(operation), this.#session),
    }));
    const search = element("input", { type: "search", placeholder: words.search, ariaLabel: words.search });
    const nothing = element("p", { className: "notice", hidden: true }, words.nothing);
    const groups = document.tags.map(({ name, description }) => ({
      heads: [
        element("h2", { lang: "en" }, name),
        element("h2", "", name),
        element("p", "", description),
      ] as const,
      members: shown.filter(({ operation }) => operation.tags[0] === name),
    }));
    search.addEventListener("input", () => {
      for (const { operation, link, view } of shown) {
        link.hidden = view.hidden = !matches(operation, search.value);
      }
      for (const { heads, members } of groups) {
        for (const head of heads) head.hidden = members.every(({ view }) => view.hidden);
      }
      nothing.hidden = shown.some(({ view }) => !view.hidden);
    });
    const list = element("nav", { className: "contents no-print", ariaLabel: words.search }, search, nothing);
    const body = element("div", { className: "stack operations", lang: "en" });
    body.append(
      element("p", { className: "notice", lang: this.#session.language }, words.documented),
      element("div", "stack tight text", ...prose(document.info.description)),
    );
    for (const { heads, members } of groups) {
      const [entry, title, description] = heads;
      list.append(entry, ...members.map(({ link }) => link));
      body.append(title, description, ...members.map(({ view }) => view));
    }
    list.append(element("a", { href: documentFile }, words.openapi));
    return element("div", "reference", list, body);
  }

  #textOf(operation: Operation): HTMLElement {
    const known = this.#texts.get(operation.operationId);
    if (known !== undefined) return known;
    const content = [...prose(operation.description ?? ""), ...parts(operation)];
    const text = element("div", "stack tight text", ...content);
    this.#texts.set(operation.operationId, text);
    return text;
  }

  #scrollToAddressed(): void {
    const anchor = location.hash.slice(1);
    if (anchor.includes("/")) document.getElementById(anchor)?.scrollIntoView();
  }
}

function link(operation: Operation): HTMLElement {
  return element(
    "a",
    { className: "entry", href: `#${anchorOf(operation)}`, lang: "en" },
    element("span", "method", operation.method),
    element("span", "", operation.summary),
  );
}

const searched = new WeakMap<Operation, string>();

/** Names, description, parameters, and the fields and kinds of body and answers: all that has a name in the document. */
function searchedText(operation: Operation): string {
  const {
    method,
    path,
    summary,
    operationId,
    description,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const fields = JSON.stringify([requestBody, responses]).match(/"[\w/-]+":/g) ?? [];
  const names = parameters.map(({ name }) => name);
  return [method, path, summary, operationId, description, ...names, ...fields].join(" ").toLowerCase();
}

/** Whether all words wanted are in an operation. */
function matches(operation: Operation, wanted: string): boolean {
  const text = searched.get(operation) ?? searchedText(operation);
  searched.set(operation, text);
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Everything about one operation: what it takes, what it answers, code, and a form that sends it. */
function operationView(operation: Operation, text: HTMLElement, session: Session): HTMLElement {
  const lang = session.language;
  const proof = trialParts(operation, session);
  return element(
    "section",
    { className: "operation", id: anchorOf(operation) },
    element("h3", "", element("span", "method", operation.method), " ", element("code", "", operation.path)),
    element("p", "summary", operation.summary),
    element("div", "columns", text, element("div", { className: "stack tight proof", lang }, ...proof)),
  );
}

/** The name of an operation in addresses: `#reference/checkIbanByPath`. */
function anchorOf({ operationId }: Operation): string {
  return `reference/${operationId}`;
}

/** The interface is documented in English only. */
function parts(operation: Operation): HTMLElement[] {
  const shown: HTMLElement[] = [];
  const { parameters = [] } = operation;
  if (parameters.length > 0) {
    const properties = Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    );
    const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
    shown.push(element("h4", "", "Parameters"), fieldList({ properties, required }));
  }
  for (const [contentType, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    shown.push(element("h4", "", "Request body ", element("code", "", contentType)));
    if (schema !== undefined) shown.push(fieldList(schema));
  }
  shown.push(element("h4", "", "Responses"));
  for (const [status, answer] of Object.entries(operation.responses)) {
    const summary = element("summary", "", element("code", "", status));
    const content = () => [
      ...prose(answer.description),
      ...Object.values(answer.content ?? {}).flatMap(contentOf),
    ];
    shown.push(foldedPart("answer", summary, content, status === "200"));
  }
  return shown;
}

function contentOf({ schema, examples = {} }: Content): HTMLElement[] {
  return [
    ...(schema === undefined ? [] : [fieldList(schema)]),
    ...Object.values(examples)
      .slice(0, 3)
      .flatMap(({ summary, value }) => {
        const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
        return [element("p", "example", summary ?? "Example"), element("pre", { tabIndex: 0 }, text)];
      }),
  ];
}

function trialParts(operation: Operation, session: Session): HTMLElement[] {
  const words = referenceTexts[session.language];
  const samples = samplesPanel(words);
  const answer = element("pre", { className: "answer", tabIndex: 0, hidden: true });
  const state = new Notice();
  const trial = trialForm(operation, words, () => samples.update(trial.request()));
  samples.update(trial.request());
  const send = element("button", "", words.send);
  const isOpen = operation.security?.length === 0;
  if (session.hasKey || isOpen) trial.element.append(send);
  else state.say(words.needsKey);
  trial.element.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    state.say(words.sending);
    const began = performance.now();
    try {
      const { method, address, contentType, body } = trial.request();
      const headers = { ...session.headers, ...(contentType && { "Content-Type": contentType }) };
      const signal = AbortSignal.timeout(patienceMs);
      const got = await fetch(address, { method, headers, signal, ...(body !== undefined && { body }) });
      const text = await got.text();
      const took = Math.round(performance.now() - began);
      state.say(`${got.status} ${got.statusText} · ${took} ${words.took}`);
      answer.textContent = formatted(text);
      answer.hidden = false;
    } catch {
      state.say(words.unreachable);
    }
    send.disabled = false;
  });
  return [samples.element, element("h4", "no-print", words.try), trial.element, state.element, answer];
}

/** Formats JSON; leaves anything else unchanged. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
