import { element } from "../element.ts";
import { examplesOf, type OpenApiDocument, type Operation, type Parameter, resolve } from "./document.ts";
import type { SampleRequest } from "./samples.ts";
import type { ReferenceWords } from "./words.ts";

/** The fields of one request: what the reader fills in, examples first. */
export interface Trial {
  readonly element: HTMLFormElement;
  /** The request as it is filled in now. */
  request(): SampleRequest;
}

/** Makes the form of an operation's path, query and body; `changed` is called whenever it is edited. */
export function trialForm(
  document: OpenApiDocument,
  operation: Operation,
  words: ReferenceWords,
  changed: () => void,
): Trial {
  const form = element("form", "trial") as HTMLFormElement;
  form.autocomplete = "off";
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in !== "header");
  const fields = new Map<Parameter, HTMLInputElement>();
  for (const parameter of parameters) {
    const input = element("input", "") as HTMLInputElement;
    input.spellcheck = false;
    input.required = parameter.in === "path";
    if (parameter.in === "path") input.value = String(firstExample(document, parameter) ?? "");
    fields.set(parameter, input);
    form.append(element("label", "", element("span", "", parameter.name), input));
  }
  const [contentType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  let body: HTMLTextAreaElement | undefined;
  if (contentType !== undefined) {
    body = element("textarea", "") as HTMLTextAreaElement;
    body.spellcheck = false;
    body.rows = 5;
    const value = examplesOf(document, content)[0]?.value;
    body.value = typeof value === "string" ? value : JSON.stringify(value ?? {}, null, 2);
    form.append(element("label", "", element("span", "", words.body), body));
  }
  form.addEventListener("input", changed);
  return {
    element: form,
    request: () => ({
      method: operation.method,
      address: addressOf(operation.path, fields),
      origin: location.origin,
      contentType,
      body: body?.value,
    }),
  };
}

function firstExample(document: OpenApiDocument, { examples }: Parameter): unknown {
  const [first] = Object.values(examples ?? {});
  return first === undefined ? undefined : resolve(document, first).value;
}

function addressOf(path: string, fields: ReadonlyMap<Parameter, HTMLInputElement>): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const [{ name, in: place }, { value }] of fields) {
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value) || `{${name}}`);
    else if (value !== "") query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}
