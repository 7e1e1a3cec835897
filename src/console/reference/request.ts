import { copyButton, element, labelled, worded } from "../element.ts";
import type { ReferenceWords } from "../words.ts";
import type { Operation, Parameter } from "./document.ts";

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
    kind.addEventListener("input", showExample);
    if (contents.length > 1) form.append(labelled("Content-Type", kind));
    form.append(labelled(worded("body"), area));
    body = area;
  }
  form.addEventListener("input", changed);
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

/** A request as the reference page shows and sends it. */
interface SampleRequest {
  readonly operation: string;
  /** The values of path, query and body by name; flags are booleans. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly method: string;
  /** Address with path and query filled in, from the service's origin on. */
  readonly address: string;
  readonly origin: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

const quoted = (text: string) => JSON.stringify(text);
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** Whether a body, and the answer to it, is JSON; without a body the answer is. */
const isJson = (contentType = "application/json") => contentType === "application/json";
const indented = (text: string, by: string) => text.split("\n").join(`\n${by}`);

function curl({ method, address, origin, contentType, body }: SampleRequest): string {
  const lines = [`curl ${shell(origin + address)}`, `-H "Authorization: Bearer $BANKCHECK_KEY"`];
  if (method !== "GET") lines.splice(1, 0, `-X ${method}`);
  if (body !== undefined) lines.push(`-H ${shell(`Content-Type: ${contentType}`)}`);
  if (body !== undefined && isJson(contentType)) lines.push(`-d ${shell(body)}`);
  // As a file is sent.
  else if (body !== undefined) lines.push(`-T - <<'END'\n${body.replace(/\n?$/, "\n")}END`);
  return lines.join(" \\\n  ");
}

function javascript({ method, address, origin, contentType, body }: SampleRequest): string {
  const headers = ["Authorization: `Bearer $" + "{process.env.BANKCHECK_KEY}`"];
  if (body !== undefined) headers.push(`"Content-Type": ${quoted(contentType!)}`);
  const options = [`headers: { ${headers.join(", ")} }`];
  if (method !== "GET") options.unshift(`method: ${quoted(method)}`);
  if (body !== undefined) options.push(`body: ${bodyInJavascript(contentType, body)}`);
  return `const answer = await fetch(${quoted(origin + address)}, {\n  ${options.join(",\n  ")},\n});\nconsole.log(await answer.${isJson(contentType) ? "json" : "text"}());`;
}

function bodyInJavascript(contentType: string | undefined, body: string): string {
  return isJson(contentType) ? `JSON.stringify(${indented(body, "  ")})` : quoted(body);
}

/** Methods of the typed client by operation, with the fields that are their first arguments; all other fields are options, or the one argument. */
const clientMethods: Readonly<Record<string, readonly [method: string, ...first: string[]]>> = {
  checkIbanByPath: ["check", "iban"],
  checkIbanAndBicByPath: ["check", "iban"],
  checkIbanByBody: ["check", "iban"],
  checkAccountByPath: ["account", "kontonummer", "bankleitzahl"],
  checkAccountByBody: ["account", "kontonummer", "bankleitzahl"],
  suggest: ["suggest", "iban"],
  extract: ["extract", "text"],
  searchByQuery: ["search"],
  searchByBody: ["search"],
  lookUpBic: ["bic", "bic"],
  lookUpBank: ["bank", "country", "code"],
  composeIban: ["compose"],
  sampleIbans: ["sample", "country"],
  ...Object.fromEntries(
    ["bankData", "health", "history", "metrics", "openApi", "ping", "processes", "usage"].map((name) => [
      name,
      [name],
    ]),
  ),
};

/** The call of the typed client that sends the same request; undefined if it has none. */
function clientCall({ operation, fields }: SampleRequest): string | undefined {
  const isBatch = operation === "checkIbanByBody" && "ibans" in fields;
  const [method, ...first] = isBatch ? ["checkBatch", "ibans"] : (clientMethods[operation] ?? []);
  if (method === undefined) return undefined;
  const options = Object.entries(fields).filter(([name]) => !first.includes(name));
  const written = options.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
  const values = first.map((name) => JSON.stringify(fields[name] ?? ""));
  return `${method}(${[...values, ...(written === "" ? [] : [`{ ${written} }`])].join(", ")})`;
}

function parsed(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

function client(request: SampleRequest): string {
  const call = clientCall(request);
  const isStream = request.operation === "stream";
  if (call === undefined && !isStream) return "// The client has no method for this endpoint; use fetch.";
  return [
    `import { BankcheckClient } from "bankcheck/client";`,
    "",
    `const client = new BankcheckClient({ baseUrl: ${quoted(request.origin)}, apiKey: process.env.BANKCHECK_KEY });`,
    isStream
      ? "for await (const found of client.checkMany(ibans)) console.log(found);"
      : `console.log(await client.${call});`,
  ].join("\n");
}

function python({ method, address, origin, contentType, body }: SampleRequest): string {
  const headers = [`"Authorization": "Bearer " + os.environ["BANKCHECK_KEY"]`];
  if (body !== undefined) headers.push(`"Content-Type": ${quoted(contentType!)}`);
  const options = [`headers={${headers.join(", ")}}`];
  if (body !== undefined) options.push(`data=${quoted(body)}.encode()`);
  if (method !== "GET") options.push(`method=${quoted(method)}`);
  return [
    "import json, os, urllib.request",
    "",
    `request = urllib.request.Request(${quoted(origin + address)},`,
    `    ${options.join(",\n    ")})`,
    "with urllib.request.urlopen(request) as answer:",
    isJson(contentType) ? "    print(json.load(answer))" : "    print(answer.read().decode())",
  ].join("\n");
}

function php({ method, address, origin, contentType, body }: SampleRequest): string {
  const single = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const headers = [`'Authorization: Bearer ' . getenv('BANKCHECK_KEY')`];
  if (body !== undefined) headers.push(single(`Content-Type: ${contentType}`));
  const options = [
    `'method' => ${single(method)}`,
    `'header' => [${headers.join(", ")}]`,
    `'ignore_errors' => true`,
  ];
  if (body !== undefined) options.push(`'content' => ${single(body)}`);
  return [
    `$context = stream_context_create(['http' => [\n    ${options.join(",\n    ")},\n]]);`,
    ...(isJson(contentType)
      ? [
          `$answer = json_decode(file_get_contents(${single(origin + address)}, false, $context), true);`,
          "print_r($answer);",
        ]
      : [`print file_get_contents(${single(origin + address)}, false, $context);`]),
  ].join("\n");
}

const sampleLanguages = [
  ["curl", curl],
  ["fetch", javascript],
  ["Client", client],
  ["Python", python],
  ["PHP", php],
] as const;

const storedLanguage = "bankcheck-sample";

/** Shows a request in the language chosen last, in any operation; `update` shows another request. */
export function samplesPanel(words: ReferenceWords): {
  readonly element: HTMLElement;
  update(request: SampleRequest): void;
} {
  const code = element("pre", { className: "sample", tabIndex: 0 });
  const options = sampleLanguages.map(([name]) => new Option(name, name.toLowerCase()));
  const choice = element("select", { ariaLabel: words.code }, ...options);
  choice.value = localStorage.getItem(storedLanguage) ?? "";
  if (choice.selectedIndex < 0) choice.selectedIndex = 0;
  let shown: SampleRequest | undefined;
  const show = () => {
    const [, write] = sampleLanguages[choice.selectedIndex]!;
    if (shown !== undefined) code.textContent = write(shown);
  };
  choice.addEventListener("change", () => {
    localStorage.setItem(storedLanguage, choice.value);
    show();
  });
  const copy = copyButton(() => code.textContent ?? "", words);
  return {
    element: element("section", "samples", element("div", "bar", choice, copy), code),
    update(request) {
      shown = request;
      show();
    },
  };
}
