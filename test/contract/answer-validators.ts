import { Ajv, type ValidateFunction } from "ajv";
import { type AnswerSchemaName, answerSchemas } from "../../src/contract/schema/answer-schemas.ts";

const ajv = new Ajv();

/** A strict validator of each kind of answer. */
export const answerValidators = Object.fromEntries(
  Object.entries(answerSchemas).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Record<AnswerSchemaName, ValidateFunction>;
