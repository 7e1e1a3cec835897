import type { OpenApiDocument, Schema } from "../../contract/openapi/published.ts";
import { element } from "../element.ts";

export type Operation = ReturnType<typeof operationsOf>[number];

/** A part of a document; an object with the key `$ref` stands for another part. */
interface Part {
  [name: string]: Part | string;
}

/** Reads a document, and puts in place of each reference what it names, which is shared and no reference itself. */
export function readDocument(text: string): OpenApiDocument {
  const document: Part = JSON.parse(text);
  const resolve = (parts: Part) => {
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part !== "object" || part === null) continue;
      const [, ...path] = String(part["$ref"] ?? "").split("/");
      if (path.length === 0) resolve(part);
      else parts[name] = path.reduce((place, inner) => place[inner] as Part, document);
    }
  };
  resolve(document);
  return document as unknown as OpenApiDocument;
}

export function operationsOf({ paths }: OpenApiDocument, tag: string) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Lists the fields of a schema, those of inner objects folded below their own field. */
export function fieldList(schema: Schema): HTMLElement {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return element("div", "", ...variants.map(fieldList));
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const term = element("dt", "", element("code", "", name), element("span", "kind", kindOf(field)));
    if (schema.required?.includes(name)) term.append(element("span", "required", "required"));
    const description = element("dd", "", ...prose(field.description ?? ""));
    const bounds = boundsOf(field);
    if (bounds !== "") description.append(element("p", "bounds", bounds));
    const inner = field.items ?? field;
    if (inner.properties !== undefined)
      description.append(foldedPart("", element("summary", "", "Fields"), () => [fieldList(inner)]));
    return [term, description];
  });
  return element("dl", "fields", ...rows);
}

/** Returns a folded part whose content is made when it is first opened: all of it would be some 15,000 elements. */
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

function kindOf(schema: Schema): string {
  if (schema.items !== undefined) return `array of ${kindOf(schema.items)}`;
  return (schema.anyOf?.map(kindOf) ?? [schema.type ?? []].flat()).join(" or ");
}

function boundsOf(schema: Schema): string {
  const { enum: values, minimum, maximum, minItems, maxItems, default: preset } = schema;
  return [
    values?.map((value) => JSON.stringify(value)).join(", "),
    (minimum ?? maximum) !== undefined && `${minimum ?? "…"} to ${maximum ?? "…"}`,
    (minItems ?? maxItems) !== undefined && `${minItems ?? 0} to ${maxItems ?? "…"} items`,
    preset !== undefined && `default ${JSON.stringify(preset)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Paragraphs and lists of a description; text between backticks becomes code. The document uses no other Markdown. */
export function prose(text: string): HTMLElement[] {
  const parts = text.split(/\n\s*\n|\n(?=- )/).filter((part) => part.trim() !== "");
  return parts.map((part) => {
    const pieces = part.replace(/^- /, "").split("`");
    const inline = pieces.map((piece, index) => (index % 2 === 1 ? element("code", "", piece) : piece));
    return element("p", part.startsWith("- ") ? "item" : "", ...inline);
  });
}
