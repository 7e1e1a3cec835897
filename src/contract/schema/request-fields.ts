import type { ErrorCode } from "../errors.ts";

/** Error codes by failing keyword; `any` stands for every other keyword. */
interface FieldErrors {
  readonly any: ErrorCode;
  readonly [keyword: string]: ErrorCode;
}

/** A JSON Schema for one field together with keywords of our own: `maxCount` is the highest number that a text may be. */
export interface FieldSchema {
  readonly description: string;
  readonly errorCodes: FieldErrors;
  /** Published in OpenAPI in place of the checked keywords: the form that clients should send, without tolerances. */
  readonly published?: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

/** Returns the schema of a field: what is checked of it, what it means, and the error code where it does not fit. */
export function field(
  keywords: object,
  description: string,
  errorCode: ErrorCode = "invalid_request",
  published?: FieldSchema["published"],
): FieldSchema {
  const shown = published === undefined ? {} : { published };
  return { ...keywords, description, ...shown, errorCodes: { any: errorCode } };
}

export const text = { type: "string" };
export const textOrNull = { type: ["string", "null"] };
export const textLike = (pattern: string) => ({ ...text, pattern });

/** A switch as it is published, and off unless it is sent. */
export const zeroOrOne = { type: "integer", enum: [0, 1] };
export const switchedOff: FieldSchema["published"] = { ...zeroOrOne, default: 0 };

/** A switch in a query. */
export const option = (description: string, errorCode?: ErrorCode, published = switchedOff) =>
  field({ ...text, enum: ["0", "1"] }, description, errorCode, published);

/** A criterion of a search; null is one that is not given. */
export const criterion = (keywords: object, description: string, errorCode?: ErrorCode) =>
  field({ ...textOrNull, ...keywords }, description, errorCode, { ...text, ...keywords });

const upTo = (maximum: number) => ({ type: "integer", minimum: 1, maximum });

/** A number from 1 on in a query. */
export const numberInQuery = (max: number, description: string, published: object = {}) =>
  field({ ...text, maxCount: max }, description, undefined, { ...upTo(max), ...published });

/** The `max` of a body: a number, also as text; empty or null for the default. */
export const maxInBody = (max: number, fallback: number, description: string) =>
  field(
    { anyOf: [upTo(max), { ...text, maxCount: max }, { enum: ["", null] }] },
    description,
    "invalid_max",
    { ...upTo(max), default: fallback },
  );
