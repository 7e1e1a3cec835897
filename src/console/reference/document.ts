/** A JSON schema of the OpenAPI document, as far as it is shown. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A named example: its summary and its value. */
export interface Example {
  readonly $ref?: string;
  readonly summary?: string;
  readonly value?: unknown;
}

/** A parameter of the path, the query or the headers. */
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** A body by content type. */
export interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** One operation as the document describes it. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly $ref?: string;
        readonly description: string;
        readonly content?: Readonly<Record<string, Content>>;
      }
    >
  >;
  readonly security?: readonly object[];
}

/** The OpenAPI document of the service. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: unknown;
}

/** An operation with its address. */
export interface Operation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

/** Returns the object that a local reference names, or the object itself where it is none. */
export function resolve<Kind extends { readonly $ref?: string }>(
  document: OpenApiDocument,
  given: Kind,
): Kind {
  if (given.$ref === undefined) return given;
  const found = given.$ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document);
  return resolve(document, found as Kind);
}

/** The operations of the document in the order of its tags, then of its paths. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return document.tags.flatMap(({ name }) => all.filter(({ tags }) => tags[0] === name));
}

/** The JSON examples of a body; empty where there are none. */
export function examplesOf(document: OpenApiDocument, content: Content | undefined): readonly Example[] {
  return Object.values(content?.examples ?? {}).map((example) => resolve(document, example));
}
