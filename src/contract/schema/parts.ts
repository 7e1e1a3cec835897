/** A text. */
export const text = (description: string) => ({ type: "string", description }) as const;
/** A text, or null where it is not known. */
export const textOrNull = (description: string) => ({ type: ["string", "null"], description }) as const;
/** A whole number from 0 on. */
export const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const;

/** The schema of such an object. */
export interface ClosedObject<Properties> {
  readonly type: "object";
  readonly properties: Properties;
  readonly required: readonly (keyof Properties & string)[];
  readonly additionalProperties: false;
}

/** An object that has all of these properties and no other. */
export function objectOf<
  const Properties extends object,
  const About extends { readonly title?: string; readonly description?: string },
>(properties: Properties, about?: About): About & ClosedObject<Properties> {
  const { title, description } = about ?? {};
  const schema = {
    ...(title === undefined ? {} : { title }),
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return schema as unknown as About & ClosedObject<Properties>;
}
