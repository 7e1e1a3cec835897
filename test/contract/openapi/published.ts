import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { DescribedOperation, OpenApiDocument } from "../../../src/contract/openapi/published.ts";
import type { DescribedRoute } from "../../../src/contract/routes.ts";
import { pagesFolder } from "../../../src/http/pages/serve.ts";

interface PublishedDocument extends OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly security: readonly object[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly headers: Readonly<Record<string, { readonly schema: { readonly const?: unknown } }>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** Returns the document that the build has made, as a client gets it. */
export function publishedDocument(): PublishedDocument {
  return JSON.parse(readFileSync(new URL("openapi.json", pagesFolder), "utf8")) as PublishedDocument;
}

/** Returns the answers to the examples of the document, by name. */
export function answerExamples({ paths }: PublishedDocument): Readonly<Record<string, unknown>> {
  const answers = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ responses }) =>
      Object.entries(responses["200"]?.content?.["application/json"]?.examples ?? {}),
    );
  return Object.fromEntries(answers.map(([name, { value }]) => [name, value]));
}

export function operationOf(document: PublishedDocument, route: DescribedRoute): DescribedOperation {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${route.method} ${route.path} is not in the document`);
  return operation;
}

/** Makes validators for schemas of the document, whose references are those of its components. */
export function publishedValidators(document: PublishedDocument): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, keywords: ["components"] });
  ajv.addSchema({ $id: "document", components: document.components }, "document");
  const compiled = new Map<object, ValidateFunction>();
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validator = compiled.get(schema) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(schema, validator);
    return validator;
  };
}
