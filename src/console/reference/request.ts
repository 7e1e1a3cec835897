import { copyButton, element, labelled } from "../element.ts";
import type { ReferenceWords } from "../words.ts";
import type { Operation, Parameter } from "./document.ts";

/** Creates the form of an operation's path, query and body; `changed` is called whenever it is edited. */
export function trialForm(operation: Operation, words: ReferenceWords, changed: () => void) {
  const form = element("form", { className: "trial", autocomplete: "off" });
  const fields = new Map<Parameter, HTMLInputElement | HTMLSelectElement>();
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== "header");
  // Without parts in the path the query comes from one example; elsewhere it is optional.
  const isQueryAsked = parameters.every((parameter) => parameter.in === "query");
  const [example = ""] = parameters.flatMap(({ examples = {} }) => Object.keys(examples));
  for (const parameter of parameters) {
    const required = parameter.in === "path";
    const given = isQueryAsked ? parameter.examples?.[example]?.value : required && firstExample(parameter);
    const value = String(given || "");
    const values = parameter.schema?.enum;
    const field =
      values === undefined
        ? element("input", { spellcheck: false, required, value })
        : element("select", "", ...["", ...values].map((each) => new Option(String(each))));
    fields.set(parameter, field);
    form.append(labelled(parameter.name, field));
  }
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
    form.append(labelled(words.body, area));
    body = area;
  }
  form.addEventListener("input", changed);
  return {
    element: form,
    request: () => ({
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

function addressOf(path: string, fields: ReadonlyMap<Parameter, { readonly value: string }>): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const [{ name, in: place }, { value }] of fields) {
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value) || `{${name}}`);
    else if (value !== "") query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** A request as the reference page shows and sends it. */
interface SampleRequest {
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

/** Calls of the typed client by the path that they ask. */
const serviceCalls: Readonly<Record<string, string>> = {
  "/service/health": "health()",
  "/service/usage": "usage()",
  "/service/data": "bankData()",
  "/service/metrics": "metrics()",
  "/service/openapi.json": "openApi()",
  "/service/metrics/processes": "processes()",
  "/service/metrics/history": "history()",
};

/** The call of the typed client that sends the same request; undefined if it has none of its own. */
function clientCall({ method, address, body }: SampleRequest): string | undefined {
  const { pathname, searchParams } = new URL(address, "http://service");
  const [, version, resource, ...rest] = pathname.split("/").map(decodeURIComponent);
  const options = [...searchParams].map(
    ([name, value]) => `${name}: ${value === "1" ? "true" : value === "0" ? "false" : quoted(value)}`,
  );
  const listed = (more: readonly string[]) => (more.length === 0 ? "" : `, { ${more.join(", ")} }`);
  const days = searchParams.get("days");
  if (days !== null) return `usage({ days: ${Number(days)} })`;
  if (version !== "v1") return serviceCalls[pathname];
  const fields = body === undefined ? {} : parsed(body);
  if (resource === "iban" && method === "GET") {
    const own = options.filter((option) => !option.startsWith("sepa"));
    return `check(${quoted(rest[0]!)}${listed(rest[1] === undefined ? own : [`bic: ${quoted(rest[1])}`, ...own])})`;
  }
  if (resource === "iban" && Array.isArray(fields["ibans"]))
    return `checkBatch(${JSON.stringify(fields["ibans"])}${listed(options)})`;
  if (resource === "iban") {
    const bic = typeof fields["bic"] === "string" ? [`bic: ${quoted(fields["bic"])}`] : [];
    return `check(${quoted(String(fields["iban"]))}${listed([...bic, ...options])})`;
  }
  if (resource === "kto") {
    const [kontonummer, blz] = method === "GET" ? rest : [fields["kontonummer"], fields["bankleitzahl"]];
    const sepa = Number(fields["sepa"]) === 1 ? ["sepa: true"] : [];
    return `account(${quoted(String(kontonummer))}, ${quoted(String(blz))}${listed([...sepa, ...options])})`;
  }
  if (resource === "ping") return "ping()";
  if (resource === "bic") return `bic(${quoted(rest[0]!)}${listed(options)})`;
  if (resource === "suggest") return `suggest(${quoted(String(fields["iban"]))}${listed(options)})`;
  if (resource === "compose") return `compose(${JSON.stringify(fields)}${listed(options)})`;
  if (resource === "sample") {
    const { country = "", n, ...more } = Object.fromEntries(searchParams);
    const asked = Object.entries(more).map(([name, value]) => `${name}: ${quoted(value)}`);
    return `sample(${quoted(country)}${listed([...(n === undefined ? [] : [`n: ${Number(n)}`]), ...asked])})`;
  }
  if (resource === "banks") return `bank(${quoted(rest[0]!)}, ${quoted(rest[1]!)})`;
  if (resource === "extract") return `extract(${quoted(String(fields["text"]))})`;
  if (resource === "search") {
    const query = method === "GET" ? Object.fromEntries(searchParams) : fields;
    return `search(${JSON.stringify(query)})`;
  }
  return undefined;
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function client(request: SampleRequest): string {
  const call = clientCall(request);
  if (call === undefined) return "// The client has no method for this endpoint; use fetch.";
  return [
    `import { BankcheckClient } from "bankcheck/client";`,
    "",
    `const client = new BankcheckClient({ baseUrl: ${quoted(request.origin)}, apiKey: process.env.BANKCHECK_KEY });`,
    `console.log(await client.${call});`,
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
