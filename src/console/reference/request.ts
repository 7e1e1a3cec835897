import type { Parameter } from "../../contract/openapi/published.ts";
import { element, labelled, worded } from "../element.ts";
import type { Operation } from "./document.ts";

/** Creates the form of an operation's path, query and body, and says what request it is. */
export function trialForm(operation: Operation) {
  const form = element("form", { className: "trial", autocomplete: "off" });
  const flags = element("div", "bar flags");
  const parameters = operation.parameters.filter((parameter) => parameter.in !== "header");
  // Without parts in the path the query comes from one example; elsewhere it is optional.
  const isQueryAsked = parameters.every((parameter) => parameter.in === "query");
  const [example = ""] = parameters.flatMap(({ examples = {} }) => Object.keys(examples));
  for (const parameter of parameters) {
    const { name, examples, schema, required } = parameter;
    const given = isQueryAsked ? examples?.[example]?.value : required && firstExample(parameter);
    if (isFlag(parameter))
      flags.append(labelled(name, element("input", { type: "checkbox", name, value: "1" }), "bar"));
    else if (schema.enum === undefined) {
      const value = String(given || "");
      form.append(labelled(name, element("input", { name, spellcheck: false, required, value })));
    } else {
      const options = ["", ...schema.enum].map((each) => new Option(String(each)));
      form.append(labelled(name, element("select", { name }, ...options)));
    }
  }
  if (flags.hasChildNodes()) form.append(flags);
  const contents = Object.entries(operation.requestBody?.content ?? {});
  const kind = element("select", "", ...contents.map(([contentType]) => new Option(contentType)));
  const body = element("textarea", { spellcheck: false, rows: 5 });
  const showExample = () => {
    const value = firstExample(contents[kind.selectedIndex]?.[1]);
    body.value = typeof value === "string" ? value : JSON.stringify(value ?? {}, null, 2);
  };
  showExample();
  kind.oninput = showExample;
  if (contents.length > 1) form.append(labelled("Content-Type", kind));
  if (contents.length > 0) form.append(labelled(worded("body"), body));
  /** A flag that is not set is left out. */
  const filledIn = (): Filled => {
    const data = new FormData(form);
    return parameters.flatMap((parameter) => {
      const value = String(data.get(parameter.name) ?? "");
      return value === "" ? [] : [[parameter, value]];
    });
  };
  return {
    element: form,
    /** The request as code shows it and the form sends it; `fields` are the values of path, query and body by name. */
    request: () => ({
      operation: operation.operationId,
      fields: { ...valuesOf(filledIn()), ...parsed(body.value) },
      method: operation.method,
      url: urlOf(operation.path, filledIn()),
      contentType: contents[kind.selectedIndex]?.[0],
      body: contents.length > 0 ? body.value : undefined,
    }),
  };
}

function parsed(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

function firstExample(given: Pick<Parameter, "examples"> | undefined): unknown {
  return Object.values(given?.examples ?? {})[0]?.value;
}

type Filled = readonly (readonly [Parameter, string])[];

function valuesOf(filled: Filled): Record<string, unknown> {
  const values = filled.map(([parameter, value]) => {
    const isNumber = parameter.schema.type === "integer";
    return [parameter.name, isFlag(parameter) ? true : isNumber ? Number(value) : value];
  });
  return Object.fromEntries(values);
}

function isFlag({ schema }: Parameter): boolean {
  return schema.enum?.join() === "0,1";
}

function urlOf(path: string, filled: Filled): string {
  const query = new URLSearchParams();
  let url = location.origin + path;
  for (const [{ name, in: place }, value] of filled) {
    if (place === "path") url = url.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, value);
  }
  return query.size === 0 ? url : `${url}?${query}`;
}
