type Json = Readonly<Record<string, unknown>>;

/**
 * Moves every schema with a title to the components of a document, in the order of their names, and leaves a reference to
 * it. Throws if two schemas have one title.
 */
export function withComponents(paths: object): { readonly paths: object; readonly schemas: object } {
  const found = new Map<string, { readonly part: object; readonly schema: object }>();
  const published = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(published);
    const fields = publishedField(part as Json);
    const { title, ...untitled } = fields;
    // A property may have this name, too.
    if (typeof title !== "string") return inner(fields);
    const component = found.get(title) ?? { part, schema: inner(untitled) };
    if (component.part !== part) throw new Error(`two schemas are named ${title}`);
    found.set(title, component);
    return { $ref: `#/components/schemas/${title}` };
  };
  const inner = (fields: Json) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, part]) => [name, name === "examples" ? part : published(part)]),
    );
  const referring = published(paths) as object;
  const byName = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    paths: referring,
    schemas: Object.fromEntries(byName.map(([name, { schema }]) => [name, schema])),
  };
}

/** Returns a field as the interface documents it: without our own keywords, and in the form that clients should send. */
export function publishedField({ errorCodes: _, published, ...checked }: Json): Json {
  return published === undefined ? checked : { ...(published as Json), description: checked["description"] };
}
