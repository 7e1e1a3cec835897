type Json = Readonly<Record<string, unknown>>;

/** A JSON Schema; its title is the name of its component. */
interface JsonSchema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: object;
}

/** A reference to a component of the document. */
export interface Reference {
  readonly $ref: string;
}

/** The schemas of a document: each one with a title that is referred to becomes one component. */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonSchema>();

  /** Returns a reference to a schema. Throws if it has no title, or one that is another schema's already. */
  reference(schema: JsonSchema): Reference {
    const { title } = schema;
    if (title === undefined) throw new Error("a schema without a title cannot be a component");
    if ((this.#schemas.get(title) ?? schema) !== schema) throw new Error(`two schemas are named ${title}`);
    this.#schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** All components by name, in the order of their names. */
  all(): Readonly<Record<string, Json>> {
    const all: [name: string, published: Json][] = [];
    // One may refer to others, which follow it then.
    for (const [name, schema] of this.#schemas) all.push([name, this.#publish(schema)]);
    return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #publish(schema: JsonSchema): Json {
    const { title, properties, items, ...rest } = publishedField(schema as Json) as JsonSchema;
    const nested = (inner: JsonSchema) => (inner.title ? this.reference(inner) : this.#publish(inner));
    const fields = Object.entries(properties ?? {}).map(([name, inner]) => [name, nested(inner)]);
    return {
      ...rest,
      ...(properties && { properties: Object.fromEntries(fields) }),
      ...(items && { items: nested(items) }),
    };
  }
}

/** Returns a field as the interface documents it: without our own keywords, and in the form that clients should send. */
export function publishedField(field: Json): Json {
  const { errorCodes, published, ...rest } = field;
  if (published === undefined) return rest;
  return { ...(published as Json), description: rest["description"] };
}
