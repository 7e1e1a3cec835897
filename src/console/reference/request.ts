import { element, labelled, worded } from "../element.ts";
import type { Operation, Parameter } from "./document.ts";
import { parsed } from "./samples.ts";

/** Creates the form of an operation's path, query and body; `changed` is called whenever it is edited. */
export function trialForm(operation: Operation, changed: () => void) {
  const form = element("form", { className: "trial", autocomplete: "off" });
  const fields = new Map<Parameter, HTMLInputElement | HTMLSelectElement>();
  const flags = element("div", "bar flags");
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== "header");
  // Without parts in the path the query comes from one example; elsewhere it is optional.
  const isQueryAsked = parameters.every((parameter) => parameter.in === "query");
  const [example = ""] = parameters.flatMap(({ examples = {} }) => Object.keys(examples));
  for (const parameter of parameters) {
    const required = parameter.in === "path";
    const given = isQueryAsked ? parameter.examples?.[example]?.value : required && firstExample(parameter);
    const value = String(given || "");
    const values = parameter.schema?.enum;
    const field = isFlag(parameter)
      ? element("input", { type: "checkbox", value: "1" })
      : values === undefined
        ? element("input", { spellcheck: false, required, value })
        : element("select", "", ...["", ...values].map((each) => new Option(String(each))));
    fields.set(parameter, field);
    (isFlag(parameter) ? flags : form).append(
      labelled(parameter.name, field, isFlag(parameter) ? "bar" : ""),
    );
  }
  if (flags.hasChildNodes()) form.append(flags);
  const contents = Object.entries(operation.requestBody?.content ?? {});
  const kind = element("select", "", ...contents.map(([contentType]) => new Option(contentType)));
  let body: HTMLTextAreaElement | undefined;
  if (contents.length > 0) {
    const area = element("textarea", { spellcheck: false, rows: 5 });
    const showExample = () => {
      const value = firstExample(contents[kind.selectedIndex]?.[1]);
      area.value = typeof value === "string" ? value : JSON.stringify(value ?? {}, null, 2);
    };
    showExample();
    kind.oninput = showExample;
    if (contents.length > 1) form.append(labelled("Content-Type", kind));
    form.append(labelled(worded("body"), area));
    body = area;
  }
  form.oninput = changed;
  return {
    element: form,
    request: () => ({
      operation: operation.operationId,
      fields: { ...valuesOf(fields), ...(body && parsed(body.value)) },
      method: operation.method,
      address: addressOf(operation.path, fields),
      origin: location.origin,
      contentType: contents[kind.selectedIndex]?.[0],
      body: body?.value,
    }),
  };
}

function firstExample(given: Pick<Parameter, "examples"> | undefined): unknown {
  return Object.values(given?.examples ?? {})[0]?.value;
}

type Fields = ReadonlyMap<Parameter, HTMLInputElement | HTMLSelectElement>;

/** What is filled in; a flag that is not set is left out. */
function filledIn(fields: Fields): readonly (readonly [Parameter, string])[] {
  return [...fields].flatMap(([parameter, field]) =>
    field.value === "" || field.matches("[type=checkbox]:not(:checked)")
      ? []
      : [[parameter, field.value] as const],
  );
}

function valuesOf(fields: Fields): Record<string, unknown> {
  const values = filledIn(fields).map(([parameter, value]) => {
    const isNumber = parameter.schema?.type === "integer";
    return [parameter.name, isFlag(parameter) ? true : isNumber ? Number(value) : value];
  });
  return Object.fromEntries(values);
}

function isFlag({ schema }: Parameter): boolean {
  return schema?.enum?.join() === "0,1";
}

function addressOf(path: string, fields: Fields): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const [{ name, in: place }, value] of filledIn(fields)) {
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}
