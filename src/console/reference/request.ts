import type { Parameter, Schema } from "../../contract/openapi/published.ts";
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
    if (isFlag(schema))
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
  return {
    element: form,
    /** The request as code shows it and the form sends it; `fields` are the values of path, query and body by name. */
    request: () => {
      const data = new FormData(form);
      const fields: Record<string, unknown> = {};
      const query = new URLSearchParams();
      let url = location.origin + operation.path;
      for (const { name, in: place, schema } of parameters) {
        // A flag that is not set is left out.
        const value = String(data.get(name) ?? "");
        if (value === "") continue;
        fields[name] = isFlag(schema) || (schema.type === "integer" ? Number(value) : value);
        if (place === "path") url = url.replace(`{${name}}`, encodeURIComponent(value));
        else query.set(name, value);
      }
      return {
        operation: operation.operationId,
        fields: { ...fields, ...Object(jsonIn(body.value)) },
        method: operation.method,
        url: query.size === 0 ? url : `${url}?${query}`,
        contentType: contents[kind.selectedIndex]?.[0],
        body: contents.length > 0 ? body.value : undefined,
      };
    },
  };
}

/** Parses JSON; returns undefined for anything else. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstExample(given: Pick<Parameter, "examples"> | undefined): unknown {
  return Object.values(given?.examples ?? {})[0]?.value;
}

function isFlag(schema: Schema): boolean {
  return schema.enum?.join() === "0,1";
}
