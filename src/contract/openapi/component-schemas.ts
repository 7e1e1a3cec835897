type Json = Readonly<Record<string, unknown>>;

/** A JSON Schema that names its component: in `$id`, or in `title` where it is inside several others. */
interface NamedSchema {
  readonly $id?: string;
  readonly title?: string;
}

/** A reference to a component of the document. */
export interface Reference {
  readonly $ref: string;
}

/** The schemas of a document: each named schema that is referred to becomes one component. */
export class ComponentSchemas {
  readonly #sources = new Map<string, NamedSchema>();
  readonly #published = new Map<string, Json>();

  /** Returns a reference to a named schema. Throws if it has no name, or if its name is another schema's already. */
  reference(schema: NamedSchema): Reference {
    const name = schema.$id ?? schema.title;
    if (name === undefined) throw new Error("a schema without a name cannot be a component");
    const source = this.#sources.get(name);
    if (source === undefined) {
      this.#sources.set(name, schema);
      this.#published.set(name, this.#publish(schema as Json));
    } else if (source !== schema) {
      throw new Error(`two schemas are named ${name}`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** All components by name, in the order of their names. */
  all(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...this.#published].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #publish(schema: Json): Json {
    const { $id, title, additionalProperties, properties, items, ...rest } = publishedField(schema);
    // Answers may get further fields, which clients must ignore; requests exclude them with `false`.
    const isStated = typeof additionalProperties === "object" || ($id !== undefined && !additionalProperties);
    return {
      ...rest,
      ...(properties === undefined ? {} : { properties: this.#publishEach(properties as Json) }),
      ...(items === undefined ? {} : { items: this.#publishNested(items as Json) }),
      ...(isStated && additionalProperties !== undefined ? { additionalProperties } : {}),
    };
  }

  #publishEach(schemas: Json): Json {
    const entries = Object.entries(schemas as Readonly<Record<string, Json>>);
    return Object.fromEntries(entries.map(([name, schema]) => [name, this.#publishNested(schema)]));
  }

  /** Schemas without a name stay where they are. */
  #publishNested(schema: Json): Json | Reference {
    return "title" in schema ? this.reference(schema) : this.#publish(schema);
  }
}

/** Returns a field as the interface documents it: without our own keywords, and in the form that clients should send. */
export function publishedField(field: Json): Json {
  const { errorCodes, published, ...rest } = field;
  if (published === undefined) return rest;
  return { ...(published as Json), description: rest["description"] };
}
