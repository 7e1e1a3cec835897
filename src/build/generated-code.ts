import { writeFileSync } from "node:fs";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { germanIban } from "../banking/germany/account.ts";
import { EQUALS_LEFT } from "../banking/germany/check-methods/digit-sum.ts";
import { End } from "../banking/germany/check-methods/graph.ts";
import { SHORTEST_IBAN } from "../banking/iban/normalise.ts";
import * as directory from "../banks/directory/directory-layout.ts";
import { openApiDocument } from "../contract/openapi/document.ts";
import { type RequestSchema, requestSchemas } from "../contract/schema/request-schemas.ts";
import { ibanOutcomes } from "../contract/status.ts";
import { beginBuild } from "./sources.ts";

// First step of the build: writes the code that is made from tables, before anything is compiled.

writeFileSync(new URL("../kernel/assembly/shared-constants.ts", import.meta.url), sharedConstants());
writeFileSync(new URL("../contract/api-types.ts", import.meta.url), await apiTypes());
writeFileSync(new URL("../contract/request-types.ts", import.meta.url), await requestTypes());
beginBuild();

/** The numbers of the reference that AssemblyScript cannot read in place, since it knows no objects: `record.fragmentBytes` as `RECORD_FRAGMENT_BYTES`. */
function sharedConstants(): string {
  const named = (form: (name: string) => string, values: object) =>
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "number" ? [[form(name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()), value]] : [],
    );
  const numbers: Readonly<Record<string, number>> = Object.fromEntries([
    ...Object.keys(ibanOutcomes).map((name, index) => [`OUTCOME_${name.toUpperCase()}`, index]),
    ...named((name) => `RECORD_${name}`, directory.record),
    ...named((name) => `FLAG_${name}`, directory.recordFlag),
    ...named((name) => name, directory),
    ...named((name) => `END_${name}`, End),
    ["GERMAN_KONTONUMMER", germanIban.kontonummer.start],
    ...named((name) => name, { EQUALS_LEFT, SHORTEST_IBAN }),
  ]);

  const lines = Object.entries(numbers).map(([name, number]) => `export const ${name} = ${number};\n`);
  return `/* Written by the build. */\n${lines.join("")}`;
}

/** The types of answers and of the bodies of the client, from the schemas of the OpenAPI document. */
async function apiTypes(): Promise<string> {
  const document = JSON.stringify(openApiDocument()).replaceAll("#/components/schemas/", "#/definitions/");
  const { components } = JSON.parse(document) as {
    components: { schemas: JSONSchema["definitions"] & object };
  };
  const required = Object.keys(components.schemas);
  const properties = Object.fromEntries(required.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const schema: JSONSchema = { definitions: components.schemas, type: "object", properties, required };
  return (await typesOf(schema, "Roots")).replace(/^export interface Roots \{[\s\S]*?^\}\n/m, "");
}

/** The types of valid bodies, queries and paths, by the names of their schemas. */
function requestTypes(): Promise<string> {
  const schemas = Object.entries<RequestSchema>(requestSchemas).map(([name, { title: _, ...schema }]) => [
    name,
    schema,
  ]);
  const properties = Object.fromEntries(schemas) as JSONSchema["properties"] & object;
  return typesOf({ type: "object", properties, required: Object.keys(properties) }, "Requests");
}

function typesOf(schema: JSONSchema, name: string): Promise<string> {
  return compile(schema, name, {
    bannerComment: "// Written by the build.",
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    format: false,
  });
}
