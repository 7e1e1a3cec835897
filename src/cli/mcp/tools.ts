import { languages } from "../../contract/language.ts";
import { publishedField } from "../../contract/openapi/component-schemas.ts";
import { type PooledOperationName, routes } from "../../contract/routes.ts";
import {
  type RequestSchema,
  type RequestSchemaName,
  requestSchemas,
} from "../../contract/schema/request-schemas.ts";

export type Arguments = Readonly<Record<string, unknown>>;

interface ToolRow {
  readonly title: string;
  readonly description: string;
  readonly operation: PooledOperationName;
  /** The schema of its body, unless it is the route's. */
  readonly body?: RequestSchemaName;
  /** Options of the request that an assistant always wants. */
  readonly always?: readonly string[];
  /** Options of the request that it may set, besides the language of the answer. */
  readonly options?: readonly string[];
}

/** The tools, by name. Their arguments are those of the routes that they call. */
export const tools: Readonly<Record<string, ToolRow>> = {
  check_iban: {
    title: "Check an IBAN",
    description:
      "Checks an IBAN of any country, optionally with its BIC: structure, check digits, bank. Accepts it as people write it, and suggests corrections of a wrong one.",
    operation: "checkIbanByBody",
    body: "anyIbanBody",
    always: ["reason", "suggest", "lenient"],
    options: ["explain", "reach"],
  },
  check_account: {
    title: "Check a German account number",
    description:
      "Checks a German account number (Kontonummer) with its bank code (BLZ) by the bank's check-digit method; with sepa also returns its IBAN.",
    operation: "checkAccountByBody",
    always: ["reason", "suggest"],
    options: ["explain"],
  },
  suggest_iban: {
    title: "Correct an IBAN",
    description: "Corrects a wrong IBAN, or fills in unreadable characters, each written as a question mark.",
    operation: "suggest",
  },
  extract_ibans: {
    title: "Find IBANs in a text",
    description:
      "Finds the IBANs, BICs and accounts in a text such as an invoice or e-mail, and checks each IBAN.",
    operation: "extract",
  },
  search_banks: {
    title: "Search banks",
    description:
      "Searches banks by name, town, postal code, bank code or BIC, in Germany unless countries are given.",
    operation: "searchByBody",
  },
  compose_iban: {
    title: "Compose an IBAN",
    description:
      "Composes the IBAN of an account from its country, bank code and account number, with the national check digits.",
    operation: "composeIban",
  },
};

/** The arguments of a tool by name, as JSON Schemas, and the request that a call of it becomes. */
export function requestForm({ operation, body: own, always = [], options: settable = [] }: ToolRow) {
  const { path, bodies, query } = routes.find((candidate) => candidate.operation === operation)!;
  const { properties, required = [] }: RequestSchema = requestSchemas[own ?? bodies![0]!];
  const ofQuery = requestSchemas[query!.schema].properties;
  const options = [...settable, "lang"];
  const fields = [...Object.entries(properties), ...options.map((name) => [name, ofQuery[name]!] as const)];
  const described = fields.map(([name, field]) => [name, argumentOf(name, publishedField(field))]);
  return {
    properties: Object.fromEntries(described) as Readonly<Record<string, object>>,
    required,
    requestOf: (values: Arguments) => {
      const search = new URLSearchParams(always.map((option) => `${option}=1`).join("&"));
      const body: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(values)) {
        const sent = typeof value === "boolean" ? Number(value) : value;
        if (name in properties) body[name] = sent;
        // An array or object is never accepted, and is not sent as if it was a text.
        else if (sent !== undefined && sent !== null)
          search.set(name, typeof sent === "object" ? JSON.stringify(sent) : String(sent));
      }
      return { path: `${path}?${search}`, body: JSON.stringify(body) };
    },
  };
}

/** Describes an argument without the words of HTTP; a switch, which is 0 or 1 there, is true or false. */
function argumentOf(name: string, schema: Readonly<Record<string, unknown>>): typeof schema {
  if (name === "lang") return { type: "string", enum: languages, description: "Language of the messages." };
  if (JSON.stringify(schema["enum"]) !== "[0,1]") return schema;
  const description = String(schema["description"]).replace(/ A batch then .*$/, "");
  return { type: "boolean", description: description.replace(/^1 \w/, (begin) => begin[2]!.toUpperCase()) };
}
