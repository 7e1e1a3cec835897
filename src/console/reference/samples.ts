import { BankcheckClient } from "../../client/client.ts";
import { copyButton, element } from "../element.ts";
import { referenceTexts as words } from "../words.ts";
import type { trialForm } from "./request.ts";

type SampleRequest = ReturnType<ReturnType<typeof trialForm>["request"]>;

const quoted = (text: string) => JSON.stringify(text);

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const joined = (parts: readonly (string | false)[], by: string) =>
  parts.filter((part) => part !== false).join(by);

/** Whether a body, and the answer to it, is JSON; without a body the answer is. */
const isJson = (contentType = "application/json") => contentType === "application/json";

function curl({ method, url, contentType, body }: SampleRequest): string {
  const lines = [
    `curl ${shell(url)}`,
    method !== "GET" && `-X ${method}`,
    `-H "Authorization: Bearer $BANKCHECK_KEY"`,
    body !== undefined && `-H ${shell(`Content-Type: ${contentType}`)}`,
    // What is not JSON is sent as a file is.
    body !== undefined &&
      (isJson(contentType) ? `-d ${shell(body)}` : `-T - <<'END'\n${body.replace(/\n?$/, "\n")}END`),
  ];
  return joined(lines, " \\\n  ");
}

function javascript({ method, url, contentType, body }: SampleRequest): string {
  const headers = [
    "Authorization: `Bearer $" + "{process.env.BANKCHECK_KEY}`",
    body !== undefined && `"Content-Type": ${quoted(contentType!)}`,
  ];
  const written = isJson(contentType) ? `JSON.stringify(${body?.split("\n").join("\n  ")})` : quoted(body!);
  const options = [
    method !== "GET" && `method: ${quoted(method)}`,
    `headers: { ${joined(headers, ", ")} }`,
    body !== undefined && `body: ${written}`,
  ];
  return `const answer = await fetch(${quoted(url)}, {\n  ${joined(options, ",\n  ")},\n});\nconsole.log(await answer.${isJson(contentType) ? "json" : "text"}());`;
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

function client({ operation, fields }: SampleRequest): string {
  const isBatch = operation === "checkIbanByBody" && "ibans" in fields;
  const [method, ...first] = isBatch ? ["checkBatch", "ibans"] : (clientMethods[operation] ?? [operation]);
  const isStream = operation === "stream";
  if (!(method in BankcheckClient.prototype) && !isStream)
    return "// The client has no method for this endpoint; use fetch.";
  const values = first.map((name) => JSON.stringify(fields[name] ?? ""));
  const options = Object.entries(fields).filter(([name]) => !first.includes(name));
  const written = options.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
  if (written !== "") values.push(`{ ${written} }`);
  return [
    `import { BankcheckClient } from "bankcheck/client";`,
    "",
    `const client = new BankcheckClient({ baseUrl: ${quoted(location.origin)}, apiKey: process.env.BANKCHECK_KEY });`,
    isStream
      ? "for await (const found of client.checkMany(ibans)) console.log(found);"
      : `console.log(await client.${method}(${values.join(", ")}));`,
  ].join("\n");
}

function python({ method, url, contentType, body }: SampleRequest): string {
  const headers = [
    `"Authorization": "Bearer " + os.environ["BANKCHECK_KEY"]`,
    body !== undefined && `"Content-Type": ${quoted(contentType!)}`,
  ];
  const options = [
    `headers={${joined(headers, ", ")}}`,
    body !== undefined && `data=${quoted(body)}.encode()`,
    method !== "GET" && `method=${quoted(method)}`,
  ];
  return `import json, os, urllib.request

request = urllib.request.Request(${quoted(url)},
    ${joined(options, ",\n    ")})
with urllib.request.urlopen(request) as answer:
    print(${isJson(contentType) ? "json.load(answer)" : "answer.read().decode()"})`;
}

function php({ method, url, contentType, body }: SampleRequest): string {
  const single = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const headers = [
    `'Authorization: Bearer ' . getenv('BANKCHECK_KEY')`,
    body !== undefined && single(`Content-Type: ${contentType}`),
  ];
  const options = [
    `'method' => ${single(method)}`,
    `'header' => [${joined(headers, ", ")}]`,
    `'ignore_errors' => true`,
    body !== undefined && `'content' => ${single(body)}`,
  ];
  const answer = `file_get_contents(${single(url)}, false, $context)`;
  return `$context = stream_context_create(['http' => [
    ${joined(options, ",\n    ")},
]]);
${isJson(contentType) ? `$answer = json_decode(${answer}, true);\nprint_r($answer);` : `print ${answer};`}`;
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
