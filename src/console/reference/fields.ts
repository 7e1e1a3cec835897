import { element } from "../element.ts";
import { type OpenApiDocument, resolve, type Schema } from "./document.ts";
import type { ReferenceWords } from "./words.ts";

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
  const folded = element("details", className, summary) as HTMLDetailsElement;
  folded.open = isOpen;
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

/** Paragraphs and lists of a description; what stands between backticks becomes code. Its Markdown knows no more. */
export function prose(text: string): HTMLElement[] {
  return text
    .split(/\n\s*\n|\n(?=- )/)
    .filter((part) => part.trim() !== "")
    .map((part) => element("p", part.startsWith("- ") ? "item" : "", ...inline(part.replace(/^- /, ""))));
}

function inline(text: string): (string | HTMLElement)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));
}
