import { compile, type JSONSchema } from "json-schema-to-typescript";
import { openApiDocument } from "../../src/contract/openapi/document.ts";

/** The components that the typed client speaks of; what they refer to comes with them. */
const roots = [
  "IbanCheckAnswer",
  "IbanBatchAnswer",
  "AccountCheckAnswer",
  "BankSearchRequest",
  "BankSearchAnswer",
  "ErrorAnswer",
  "HealthAnswer",
  "UsageAnswer",
  "ExtractAnswer",
  "BankLookupAnswer",
  "BankDataAnswer",
  "ProcessesAnswer",
  "HistoryAnswer",
];

const banner = `// Made from the OpenAPI document by "npm run generate"; a test compares them.`;

/** Makes the types of the client from the schemas of the OpenAPI document. */
export async function apiTypes(): Promise<string> {
  const { components } = openApiDocument() as { components: { schemas: object } };
  const definitions = JSON.parse(
    JSON.stringify(components.schemas).replaceAll("#/components/schemas/", "#/definitions/"),
  );
  const properties = Object.fromEntries(roots.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const schema = { definitions, type: "object", properties, required: roots } as JSONSchema;
  const code = await compile(schema, "Roots", {
    bannerComment: banner,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110 },
  });
  return code
    .replace(/^export interface Roots \{[\s\S]*?^\}\n/m, "\n")
    .replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, (whole, indent: string, sentence: string) =>
      indent.length + sentence.length + 7 > 110 ? whole : `${indent}/** ${sentence} */`,
    );
}
