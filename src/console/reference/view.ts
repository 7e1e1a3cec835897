import { button, element, Notice } from "../element.ts";
import type { Session, View } from "../session.ts";
import { type ReferenceWords, referenceTexts } from "../words.ts";
import {
  type Content,
  examplesOf,
  fieldList,
  foldedPart,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  prose,
  resolve,
} from "./document.ts";
import { samplesPanel, trialForm } from "./request.ts";

const documentFile = "/service/console/openapi.json";

/** How long an answer may take, in milliseconds: more than the service takes to refuse. */
const patienceMs = 30_000;

/** The interface of the service, from its OpenAPI document: readable without a key, to try with one. */
export class ReferenceView implements View {
  readonly needsKey = false;
  #session!: Session;
  #into!: HTMLElement;
  #document: OpenApiDocument | undefined;
  /** What is written of each operation, which keeps its opened parts in every language. */
  readonly #texts = new Map<string, HTMLElement>();
  #isOpen = false;

  open(into: HTMLElement, session: Session): void {
    this.#session = session;
    this.#into = into;
    this.#isOpen = true;
    addEventListener("hashchange", this.#scrollToAddressed);
    void this.#show();
  }

  close(): void {
    this.#isOpen = false;
    removeEventListener("hashchange", this.#scrollToAddressed);
  }

  /** Shows itself in another language, with what was filled in and answered, at the place that was read. */
  setLanguage(): void {
    const [typed, answers, top] = [this.#fields.map(({ value }) => value), this.#answers, scrollY];
    void this.#show();
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
    scrollTo(0, top);
  }

  get #fields() {
    return [...this.#into.querySelectorAll<HTMLInputElement>("input, select, textarea")];
  }

  /** The answers to all operations, with their status. */
  get #answers() {
    return [...this.#into.querySelectorAll<HTMLElement>(".proof .answer")].map((answer) => ({
      answer,
      state: answer.previousElementSibling!,
    }));
  }

  async #show(): Promise<void> {
    const words = referenceTexts[this.#session.language];
    if (this.#document === undefined) {
      this.#into.replaceChildren(element("p", "notice", words.loading));
      try {
        const answer = await fetch(documentFile);
        if (!answer.ok) throw new Error(answer.statusText);
        this.#document = (await answer.json()) as OpenApiDocument;
      } catch {
        if (!this.#isOpen) return;
        const again = button("quiet", words.again, () => void this.#show());
        this.#into.replaceChildren(element("div", "bar", element("p", "notice wrong", words.failed), again));
        return;
      }
    }
    if (!this.#isOpen) return;
    this.#into.replaceChildren(this.#page(this.#document));
    this.#scrollToAddressed();
  }

  #page(document: OpenApiDocument): HTMLElement {
    const words = referenceTexts[this.#session.language];
    const operations = operationsOf(document);
    const shown = operations.map((operation) => ({
      operation,
      link: link(operation),
      view: operationView(document, operation, this.#textOf(document, operation), this.#session),
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
    // The interface is documented in English only.
    const body = element("div", { className: "operations", lang: "en" });
    body.append(
      element("p", { className: "notice", lang: this.#session.language }, words.documented),
      element("div", "text", ...prose(document.info.description)),
    );
    for (const { heads, members } of groups) {
      const [entry, title, description] = heads;
      list.append(entry, ...members.map(({ link }) => link));
      body.append(title, description, ...members.map(({ view }) => view));
    }
    list.append(element("a", { href: documentFile }, words.openapi));
    return element("div", "reference", list, body);
  }

  #textOf(document: OpenApiDocument, operation: Operation): HTMLElement {
    const known = this.#texts.get(operation.operationId);
    if (known !== undefined) return known;
    const content = [...prose(operation.description ?? ""), ...parts(document, operation, referenceTexts.en)];
    const text = element("div", "text", ...content);
    this.#texts.set(operation.operationId, text);
    return text;
  }

  readonly #scrollToAddressed = () => {
    const anchor = location.hash.slice(1);
    if (anchor.includes("/")) document.getElementById(anchor)?.scrollIntoView();
  };
}

function link(operation: Operation): HTMLElement {
  return element(
    "a",
    { className: "entry", href: `#${anchorOf(operation)}`, lang: "en" },
    element("span", "method", operation.method),
    element("span", "", operation.summary),
  );
}

function matches({ method, path, summary, operationId }: Operation, wanted: string): boolean {
  const text = `${method} ${path} ${summary} ${operationId}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Everything about one operation: what it takes, what it answers, code, and a form that sends it. */
function operationView(
  document: OpenApiDocument,
  operation: Operation,
  text: HTMLElement,
  session: Session,
): HTMLElement {
  const { language } = session;
  const proof = trialParts(document, operation, session, referenceTexts[language]);
  return element(
    "section",
    { className: "operation", id: anchorOf(operation) },
    element("h3", "", element("span", "method", operation.method), " ", element("code", "", operation.path)),
    element("p", "summary", operation.summary),
    element("div", "columns", text, element("div", { className: "proof", lang: language }, ...proof)),
  );
}

/** What addresses name an operation by: `#reference/checkIbanByPath`. */
function anchorOf({ operationId }: Operation): string {
  return `reference/${operationId}`;
}

function parts(document: OpenApiDocument, operation: Operation, words: ReferenceWords): HTMLElement[] {
  const shown: HTMLElement[] = [];
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  if (parameters.length > 0) {
    const properties = Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    );
    const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
    shown.push(element("h4", "", words.parameters), fieldList(document, { properties, required }, words));
  }
  for (const [contentType, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    shown.push(element("h4", "", words.body, " ", element("code", "", contentType)));
    if (schema !== undefined) shown.push(fieldList(document, schema, words));
  }
  shown.push(element("h4", "", words.answers));
  for (const [status, given] of Object.entries(operation.responses)) {
    const answer = resolve(document, given);
    const summary = element("summary", "", element("code", "", status));
    const content = () => [
      ...prose(answer.description),
      ...Object.values(answer.content ?? {}).flatMap((each) => contentOf(document, each, words)),
    ];
    shown.push(foldedPart("answer", summary, content, status === "200"));
  }
  return shown;
}

function contentOf(document: OpenApiDocument, content: Content, words: ReferenceWords): HTMLElement[] {
  const fields = content.schema === undefined ? [] : [fieldList(document, content.schema, words)];
  const examples = examplesOf(document, content).slice(0, 3);
  return [
    ...fields,
    ...examples.flatMap(({ summary, value }) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return [element("p", "example", summary ?? words.example), element("pre", { tabIndex: 0 }, text)];
    }),
  ];
}

function trialParts(
  document: OpenApiDocument,
  operation: Operation,
  session: Session,
  words: ReferenceWords,
): HTMLElement[] {
  const samples = samplesPanel(words);
  const answer = element("pre", { className: "answer", tabIndex: 0, hidden: true });
  const state = new Notice();
  const trial = trialForm(document, operation, words, () => samples.update(trial.request()));
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

/** JSON on lines of its own, anything else as it came. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
