import type { OperationName } from "../routes.ts";
import examples from "./request-examples.json" with { type: "json" };

/** A request that can be sent as it is to a service with the shipped data. */
export interface RequestExample {
  /** Unique among all examples; its answer is found by it. */
  readonly name: string;
  readonly operation: OperationName;
  readonly summary: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The examples of the OpenAPI document; the build adds their answers. */
export const requestExamples = Object.entries(examples).flatMap(([operation, named]) =>
  Object.entries(named).map(([name, example]) => ({ name, operation, ...example })),
) as readonly RequestExample[];

export type AnswerExamples = Readonly<Record<string, unknown>>;

/** Returns the Example Objects of an operation, those of which `shown` finds a value. */
export function examplesOf(operation: OperationName, shown: (example: RequestExample) => unknown): object {
  const examples = requestExamples.flatMap((example) => {
    const value = example.operation === operation ? shown(example) : undefined;
    return value === undefined ? [] : [[example.name, { summary: example.summary, value }]];
  });
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}
