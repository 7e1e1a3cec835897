import { element } from "../element.ts";
import type { Session } from "../session.ts";
import { type Content, examplesOf, type OpenApiDocument, type Operation, resolve } from "./document.ts";
import { fieldList, foldedPart, prose } from "./fields.ts";
import { samplesPanel } from "./samples.ts";
import { trialForm } from "./trial.ts";
import { type ReferenceWords, referenceWords } from "./words.ts";

/** Everything about one operation: what it takes, what it answers, code, and a form that sends it. */
export function operationView(
  document: OpenApiDocument,
  operation: Operation,
  session: Session,
): HTMLElement {
  const words = referenceWords[session.language];
  const proof = element("div", "proof");
  const text = element(
    "div",
    "text",
    ...prose(operation.description ?? ""),
    ...parts(document, operation, words),
  );
  proof.append(...trialParts(document, operation, session, words));
  const view = element(
    "section",
    "operation",
    element("h3", "", element("span", "method", operation.method), " ", element("code", "", operation.path)),
    element("p", "summary", operation.summary),
    element("div", "columns", text, proof),
  );
  view.id = anchorOf(operation);
  return view;
}

/** What addresses name an operation by: `#reference/checkIbanByPath`. */
export function anchorOf({ operationId }: Operation): string {
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
      const code = element("pre", "", typeof value === "string" ? value : JSON.stringify(value, null, 2));
      code.tabIndex = 0;
      return [element("p", "example", summary ?? words.example), code];
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
  const answer = element("pre", "answer");
  answer.tabIndex = 0;
  answer.hidden = true;
  const state = element("p", "notice");
  state.role = "status";
  const trial = trialForm(document, operation, words, () => samples.update(trial.request()));
  samples.update(trial.request());
  const send = element("button", "", words.send) as HTMLButtonElement;
  const isOpen = operation.security?.length === 0;
  if (session.hasKey || isOpen) trial.element.append(send);
  else state.textContent = words.needsKey;
  trial.element.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    state.textContent = words.sending;
    const began = performance.now();
    try {
      const { method, address, contentType, body } = trial.request();
      const headers = { ...session.headers, ...(contentType && { "Content-Type": contentType }) };
      const got = await fetch(address, { method, headers, ...(body !== undefined && { body }) });
      const text = await got.text();
      state.textContent = `${got.status} ${got.statusText} · ${Math.round(performance.now() - began)} ${words.took}`;
      answer.textContent = formatted(text);
      answer.hidden = false;
    } catch {
      state.textContent = words.unreachable;
    }
    send.disabled = false;
  });
  return [samples.element, element("h4", "", words.try), trial.element, state, answer];
}

/** JSON on lines of its own, anything else as it came. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
