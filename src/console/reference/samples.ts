import { BankcheckClient } from "../../client/client.ts";
import { copyButton, element } from "../element.ts";
import { referenceTexts as words } from "../words.ts";

/** A request as the reference page shows and sends it. */
interface SampleRequest {
  readonly operation: string;
  /** The values of path, query and body by name; flags are booleans. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly method: string;
  /** Path and query, filled in. */
  readonly address: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

const quoted = (text: string) => JSON.stringify(text);

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether a body, and the answer to it, is JSON; without a body the answer is. */
const isJson = (contentType = "application/json") => contentType === "application/json";

const indented = (text: string, by: string) => text.split("\n").join(`\n${by}`);

function curl({ method, address, contentType, body }: SampleRequest): string {
  const lines = [`curl ${shell(location.origin + address)}`, `-H "Authorization: Bearer $BANKCHECK_KEY"`];
  if (method !== "GET") lines.splice(1, 0, `-X ${method}`);
  if (body !== undefined) lines.push(`-H ${shell(`Content-Type: ${contentType}`)}`);
  if (body !== undefined && isJson(contentType)) lines.push(`-d ${shell(body)}`);
  // As a file is sent.
  else if (body !== undefined) lines.push(`-T - <<'END'\n${body.replace(/\n?$/, "\n")}END`);
  return lines.join(" \\\n  ");
}

function javascript({ method, address, contentType, body }: SampleRequest): string {
  const headers = ["Authorization: `Bearer $" + "{process.env.BANKCHECK_KEY}`"];
  if (body !== undefined) headers.push(`"Content-Type": ${quoted(contentType!)}`);
  const options = [`headers: { ${headers.join(", ")} }`];
  if (method !== "GET") options.unshift(`method: ${quoted(method)}`);
  if (body !== undefined) options.push(`body: ${bodyInJavascript(contentType, body)}`);
  return `const answer = await fetch(${quoted(location.origin + address)}, {\n  ${options.join(",\n  ")},\n});\nconsole.log(await answer.${isJson(contentType) ? "json" : "text"}());`;
}

function bodyInJavascript(contentType: string | undefined, body: string): string {
  return isJson(contentType) ? `JSON.stringify(${indented(body, "  ")})` : quoted(body);
}

/**
 * Methods of the typed client by operation, with the fields that are their first arguments; all other fields are options, or
 * the one argument. The others have the name of their operation, and no such fields.
 */
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
};

/** The call of the typed client that sends the same request; undefined if it has none. */
function clientCall({ operation, fields }: SampleRequest): string | undefined {
  const isBatch = operation === "checkIbanByBody" && "ibans" in fields;
  const [method, ...first] = isBatch ? ["checkBatch", "ibans"] : (clientMethods[operation] ?? [operation]);
  if (!(method in BankcheckClient.prototype)) return undefined;
  const options = Object.entries(fields).filter(([name]) => !first.includes(name));
  const written = options.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
  const values = first.map((name) => JSON.stringify(fields[name] ?? ""));
  return `${method}(${[...values, ...(written === "" ? [] : [`{ ${written} }`])].join(", ")})`;
}

export function parsed(body: string): Record<string, unknown> {
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
    `const client = new BankcheckClient({ baseUrl: ${quoted(location.origin)}, apiKey: process.env.BANKCHECK_KEY });`,
    isStream
      ? "for await (const found of client.checkMany(ibans)) console.log(found);"
      : `console.log(await client.${call});`,
  ].join("\n");
}

function python({ method, address, contentType, body }: SampleRequest): string {
  const headers = [`"Authorization": "Bearer " + os.environ["BANKCHECK_KEY"]`];
  if (body !== undefined) headers.push(`"Content-Type": ${quoted(contentType!)}`);
  const options = [`headers={${headers.join(", ")}}`];
  if (body !== undefined) options.push(`data=${quoted(body)}.encode()`);
  if (method !== "GET") options.push(`method=${quoted(method)}`);
  return [
    "import json, os, urllib.request",
    "",
    `request = urllib.request.Request(${quoted(location.origin + address)},`,
    `    ${options.join(",\n    ")})`,
    "with urllib.request.urlopen(request) as answer:",
    isJson(contentType) ? "    print(json.load(answer))" : "    print(answer.read().decode())",
  ].join("\n");
}

function php({ method, address, contentType, body }: SampleRequest): string {
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
          `$answer = json_decode(file_get_contents(${single(location.origin + address)}, false, $context), true);`,
          "print_r($answer);",
        ]
      : [`print file_get_contents(${single(location.origin + address)}, false, $context);`]),
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

/** Shows a request in the language chosen last, in any operation; `show` is to be called when the request has changed. */
export function samplesPanel(request: () => SampleRequest) {
  const code = element("pre", { className: "sample", tabIndex: 0 });
  const options = sampleLanguages.map(([name]) => new Option(name, name.toLowerCase()));
  const choice = element("select", { ariaLabel: words.code }, ...options);
  choice.value = localStorage.getItem(storedLanguage) ?? "";
  if (choice.selectedIndex < 0) choice.selectedIndex = 0;
  const show = () => {
    const [, write] = sampleLanguages[choice.selectedIndex]!;
    code.textContent = write(request());
  };
  choice.onchange = () => {
    localStorage.setItem(storedLanguage, choice.value);
    show();
  };
  show();
  const copy = copyButton(() => code.textContent ?? "");
  return { element: element("section", "samples", element("div", "bar", choice, copy), code), show };
}
