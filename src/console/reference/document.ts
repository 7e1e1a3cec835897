import { element } from "../element.ts";
import type { ReferenceWords } from "../words.ts";

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
interface DescribedOperation {
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

/** Deeper schemas are folded, and beyond this depth not shown: no answer of the service goes further. */
const maxDepth = 6;

/** Lists the fields of a schema, those of inner objects folded below their own field. */
export function fieldList(
  document: OpenApiDocument,
  given: Schema,
  words: ReferenceWords,
  depth = 0,
): HTMLElement {
  const schema = resolve(document, given);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) {
    return element(
      "div",
      "variants",
      ...variants.map((variant) => fieldList(document, variant, words, depth)),
    );
  }
  const list = element("dl", "fields");
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    list.append(...fieldRows(document, name, inner, schema.required?.includes(name) ?? false, words, depth));
  }
  return list;
}

/** A folded part whose content is made when it is first opened: all of it would be some 15,000 elements. */
export function foldedPart(
  className: string,
  summary: HTMLElement,
  content: () => readonly HTMLElement[],
  isOpen = false,
): HTMLElement {
  const folded = element("details", { className, open: isOpen }, summary);
  if (isOpen) folded.append(...content());
  else folded.addEventListener("toggle", () => folded.append(...content()), { once: true });
  return folded;
}

function fieldRows(
  document: OpenApiDocument,
  name: string,
  given: Schema,
  isRequired: boolean,
  words: ReferenceWords,
  depth: number,
): HTMLElement[] {
  const schema = resolve(document, given);
  const term = element(
    "dt",
    "",
    element("code", "", name),
    element("span", "kind", kindOf(document, schema)),
  );
  if (isRequired) term.append(element("span", "required", words.required));
  const description = element("dd", "", ...prose(given.description ?? schema.description ?? ""));
  const bounds = boundsOf(schema);
  if (bounds !== "") description.append(element("p", "bounds", bounds));
  const inner = resolve(document, schema.items ?? schema);
  if (depth < maxDepth && (inner.properties ?? inner.oneOf) !== undefined) {
    description.append(
      foldedPart("", element("summary", "", words.fields), () => [
        fieldList(document, inner, words, depth + 1),
      ]),
    );
  }
  return [term, description];
}

function kindOf(document: OpenApiDocument, schema: Schema): string {
  const kinds = [schema.type ?? []].flat();
  if (schema.items !== undefined)
    return `array of ${kindOf(document, resolve(document, schema.items)) || "values"}`;
  return kinds
    .map((kind) => (kind === "object" && schema.title !== undefined ? schema.title : kind))
    .join(" or ");
}

function boundsOf({
  enum: values,
  pattern,
  minimum,
  maximum,
  minItems,
  maxItems,
  default: preset,
}: Schema): string {
  return [
    values === undefined ? "" : values.map((value) => JSON.stringify(value)).join(", "),
    minimum === undefined && maximum === undefined ? "" : `${minimum ?? "…"} to ${maximum ?? "…"}`,
    minItems === undefined && maxItems === undefined ? "" : `${minItems ?? 0} to ${maxItems ?? "…"} items`,
    pattern === undefined ? "" : pattern,
    preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
  ]
    .filter((bound) => bound !== "")
    .join(" · ");
}

/** Paragraphs and lists of a description; text between backticks becomes code. The document uses no other Markdown. */
export function prose(text: string): HTMLElement[] {
  return text
    .split(/\n\s*\n|\n(?=- )/)
    .filter((part) => part.trim() !== "")
    .map((part) => element("p", part.startsWith("- ") ? "item" : "", ...inline(part.replace(/^- /, ""))));
}

function inline(text: string): (string | HTMLElement)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));
}
