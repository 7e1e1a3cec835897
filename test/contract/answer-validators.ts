import { Ajv, type ValidateFunction } from "ajv";
import { type AnswerSchemaName, answerSchemas } from "../../src/contract/schema/answer-schemas.ts";

const ajv = new Ajv();

/** Allows no property but those that an object lists, unless it says itself that there are others. */
export const closed = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.properties && !("additionalProperties" in part) ? { ...part, additionalProperties: false } : part,
  );

export const answerValidators = Object.fromEntries(
  Object.entries(answerSchemas).map(([name, schema]) => [name, ajv.compile(closed(schema))]),
) as Record<AnswerSchemaName, ValidateFunction>;
