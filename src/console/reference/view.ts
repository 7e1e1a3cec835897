import type { Content, OpenApiDocument } from "../../contract/openapi/published.ts";
import { button, element, Notice, translate, worded } from "../element.ts";
import type { Session, View } from "../session.ts";
import { language, referenceTexts as words } from "../words.ts";
import { fieldList, foldedPart, type Operation, operationsOf, prose, readDocument } from "./document.ts";
import { jsonIn, trialForm } from "./request.ts";
import { samplesPanel } from "./samples.ts";

const documentFile = "/service/console/openapi.json";

/** How long an answer may take, in milliseconds: more than the service takes to refuse. */
const patienceMs = 30_000;

/** The interface of the service, from its OpenAPI document: readable without a key, to try with one. */
export function referenceView(session: Session): View {
  const page = element("div", "");
  const search = element("input", { type: "search" });
  let isLoaded = false;

  addEventListener("hashchange", scrollToAddressed);

  /** In another language, and with a key, it keeps what was filled in and answered. */
  function show(): void {
    const all = (selector: string) => page.querySelectorAll<HTMLElement>(selector);
    translate(page, words);
    for (const part of all(".keyed, .keyless"))
      part.hidden = part.classList.contains("keyless") === session.hasKey;
    search.placeholder = search.ariaLabel = words.search;
    for (const part of all(".proof")) part.lang = language;
    for (const copy of all(".copy")) copy.ariaLabel = copy.title = words.copy;
  }

  async function load(): Promise<void> {
    page.replaceChildren(element("p", "notice", words.loading));
    const text = await fetch(documentFile)
      .then((answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined);
    if (text === undefined) {
      const again = button("quiet", words.again, load);
      page.replaceChildren(element("div", "bar", element("p", "notice wrong", words.failed), again));
      return;
    }
    page.replaceChildren(pageOf(readDocument(text), search, session));
    isLoaded = true;
    show();
    scrollToAddressed();
  }

  function scrollToAddressed(): void {
    const anchor = location.hash.slice(1);
    const addressed = anchor.includes("/") ? document.getElementById(anchor) : null;
    if (addressed?.hidden === true) {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    }
    addressed?.scrollIntoView();
  }

  return {
    isPublic: true,
    content: [page],
    open: () => (isLoaded ? scrollToAddressed() : void load()),
    show,
  };
}

function pageOf(document: OpenApiDocument, search: HTMLInputElement, session: Session): HTMLElement {
  const [purpose = "", ...guide] = document.info.description.split(/^## /m);
  const groups = [
    { name: "Guide", description: purpose, entries: guide.map(guideEntry) },
    ...document.tags.map(({ name, description }) => {
      const entries = operationsOf(document, name).map((one) => operationEntry(one, session));
      return { name, description, entries };
    }),
  ];
  const nothing = element("p", { className: "notice", hidden: true }, worded("nothing"));
  const list = element("nav", { className: "contents no-print", lang: "en" }, search, nothing);
  const body = element("div", { className: "stack operations", lang: "en" });
  body.append(element("p", "notice", worded("documented")));
  const shown = groups.map(({ name, description, entries }) => {
    const inList = element("h2", "", name);
    const heads = [inList, element("h2", "", name), element("div", "", ...prose(description))];
    list.append(inList, ...entries.map(({ link }) => link));
    body.append(...heads.slice(1), ...entries.map(({ view }) => view));
    return { heads, entries };
  });
  search.oninput = () => {
    const wanted = search.value.toLowerCase().split(/\s+/);
    nothing.hidden = false;
    for (const { heads, entries } of shown) {
      for (const { link, view, text } of entries)
        link.hidden = view.hidden = !wanted.every((word) => text().includes(word));
      const isEmpty = entries.every(({ view }) => view.hidden);
      for (const head of heads) head.hidden = isEmpty;
      nothing.hidden ||= !isEmpty;
    }
  };
  list.append(element("a", { href: documentFile }, worded("openapi")));
  return element("div", "reference", list, body);
}

/** A section of the guide, which begins with its title; the link that leads to it, and the text that is searched. */
function guideEntry(section: string) {
  const [title = ""] = section.split("\n", 1);
  const id = `reference/${title.toLowerCase().replace(/\W+/g, "-")}`;
  const content = element("div", "stack tight text", ...prose(section.slice(title.length)));
  return {
    link: element("a", { className: "entry guide", href: `#${id}` }, title),
    view: element("section", { className: "operation", id }, element("h3", "", title), content),
    text: () => section.toLowerCase(),
  };
}

function operationEntry(operation: Operation, session: Session) {
  const { method, path, summary, operationId } = operation;
  const id = `reference/${operationId}`;
  const verb = () => element("span", "method", method);
  let text: string | undefined;
  return {
    link: element("a", { className: "entry", href: `#${id}` }, verb(), summary),
    view: element(
      "section",
      { className: "operation", id },
      element("h3", "", verb(), " ", element("code", "", path)),
      element("p", "summary", summary),
      element(
        "div",
        "columns",
        element("div", "stack tight text", ...parts(operation)),
        element("div", "stack tight proof", ...trialParts(operation, session)),
      ),
    ),
    text: () => (text ??= searchedText(operation)),
  };
}

/** Names, parameters, and the fields and kinds of body and answers: all that has a name in the document. */
function searchedText(operation: Operation): string {
  const { method, path, summary, operationId, parameters, requestBody, responses } = operation;
  const fields = JSON.stringify([requestBody, responses]).match(/"[\w/-]+":/g) ?? [];
  const names = parameters.map(({ name }) => name);
  return [method, path, summary, operationId, ...names, ...fields].join(" ").toLowerCase();
}

/** The interface is documented in English only. */
function parts({ parameters, requestBody, responses }: Operation): HTMLElement[] {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const shown: HTMLElement[] = [element("h4", "", "Parameters"), fieldList({ properties, required })];
  for (const [contentType, { schema }] of Object.entries(requestBody?.content ?? {}))
    shown.push(element("h4", "", "Request body ", element("code", "", contentType)), fieldList(schema));
  shown.push(element("h4", "", "Responses"));
  for (const [status, answer] of Object.entries(responses)) {
    const summary = element("summary", "", element("code", "", status));
    const content = () => [
      ...prose(answer.description),
      ...Object.values(answer.content ?? {}).flatMap(contentOf),
    ];
    shown.push(foldedPart("answer", summary, content, status === "200"));
  }
  return shown;
}

/** Examples before the schema. */
function contentOf({ schema, examples = {} }: Content): HTMLElement[] {
  const shown = Object.values(examples)
    .slice(0, 3)
    .flatMap(({ summary, value }) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return [element("p", "example", summary), element("pre", { tabIndex: 0 }, text)];
    });
  return [...shown, fieldList(schema)];
}

function trialParts(operation: Operation, session: Session): HTMLElement[] {
  const answer = element("pre", { className: "answer", tabIndex: 0, hidden: true });
  const state = new Notice();
  const trial = trialForm(operation);
  const samples = samplesPanel(trial.request);
  trial.element.oninput = samples.show;
  const isOpen = operation.security?.some((needed) => Object.keys(needed).length === 0);
  const send = element("button", isOpen ? "" : "keyed", worded("send"));
  trial.element.append(send, isOpen ? "" : element("p", "notice keyless", worded("needsKey")));
  trial.element.onsubmit = async (event) => {
    event.preventDefault();
    if (send.hidden) return;
    send.disabled = true;
    state.say(words.sending);
    const began = performance.now();
    try {
      const { method, url, contentType, body } = trial.request();
      const headers = { ...session.headers, ...(contentType && { "Content-Type": contentType }) };
      const signal = AbortSignal.timeout(patienceMs);
      const got = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
      const text = await got.text();
      const json = jsonIn(text);
      const took = Math.round(performance.now() - began);
      state.say(`${got.status} ${got.statusText} · ${took} ms`);
      answer.textContent = json === undefined ? text : JSON.stringify(json, null, 2);
      answer.hidden = false;
    } catch {
      state.say(words.unreachable);
    }
    send.disabled = false;
  };
  return [samples.element, element("h4", "no-print", worded("try")), trial.element, state.element, answer];
}
