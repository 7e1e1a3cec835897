type Json = Readonly<Record<string, unknown>>;

/**
 * Moves every schema with a title to the components of a document, in the order of their names, and leaves a reference to
 * it. Throws if two schemas have one title.
 */
export function withComponents(paths: object): { readonly paths: object; readonly schemas: object } {
  const found = new Map<string, object>();
  const schemas: [name: string, published: unknown][] = [];
  const published = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(published);
    const { title, ...fields } = publishedField(part as Json);
    // A property may have this name, too.
    if (typeof title !== "string") return inner(publishedField(part as Json));
    if (!found.has(title)) {
      found.set(title, part);
      schemas.push([title, inner(fields)]);
    }
    if (found.get(title) !== part) throw new Error(`two schemas are named ${title}`);
    return { $ref: `#/components/schemas/${title}` };
  };
  const inner = (fields: Json) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, part]) => [name, name === "examples" ? part : published(part)]),
    );
  const referring = published(paths) as object;
  return { paths: referring, schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Returns a field as the interface documents it: without our own keywords, and in the form that clients should send. */
export function publishedField(field: Json): Json {
  const { errorCodes, published, ...rest } = field;
  if (published === undefined) return rest;
  return { ...(published as Json), description: rest["description"] };
}
