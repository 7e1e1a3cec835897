import assert from "node:assert/strict";
import { test } from "node:test";
import { errorBody } from "../../../src/contract/errors.ts";
import { requestExamples } from "../../../src/contract/openapi/examples.ts";
import { routes } from "../../../src/contract/routes.ts";
import type { AnswerSchemaName } from "../../../src/contract/schema/answer-schemas.ts";
import { words } from "../../support/words.ts";
import { answerValidators } from "../answer-validators.ts";
import { answerExamples, publishedDocument } from "../openapi/published.ts";

/** Members that an answer may go without. */
const optional = words`
  sepa_methods checks detail position expected error field messages params suggestions suggestion_count
  suggestions_omitted assumed reason severity sources
`;

/** Whether a member that is optional elsewhere is always there, in the answer of a look-up or a composed IBAN. */
function isInDirectory(name: AnswerSchemaName, of: readonly string[], key: string): boolean {
  return directoryAnswers.has(name) || (name === "composedIban" && key === "checks" && of.length === 1);
}

const directoryAnswers: ReadonlySet<AnswerSchemaName> = new Set(["bicLookup", "bankLookup", "samples"]);

const examples = answerExamples(publishedDocument());
const answers: readonly (readonly [AnswerSchemaName, unknown])[] = [
  ...requestExamples.map(({ name, operation }) => [schemaOf(operation, name), examples[name]] as const),
  ["error", errorBody("invalid_iban")],
];

test("the answers themselves fit their schemas", () => {
  for (const [name, answer] of answers)
    assert.ok(fits(name, answer), JSON.stringify(answerValidators[name]?.errors));
});

test("an answer with a further member anywhere is caught", () => {
  for (const [name, answer] of answers) {
    for (const { of } of membersIn(answer)) {
      const changed = changedAt(answer, of, (object) => ({ ...object, further: 1 }));
      assert.ok(!fits(name, changed), `${name} ${of.join(".")}`);
    }
  }
});

test("an answer that lacks a member is caught, wherever the member is not optional", () => {
  let caught = 0;
  for (const [name, answer] of answers) {
    for (const { of, key } of membersIn(answer)) {
      const changed = changedAt(answer, of, ({ [key]: _, ...rest }) => rest);
      const isAlwaysThere =
        (name.startsWith("iban") && key === "sepa_methods") ||
        (key === "field" && of.includes("suggestions")) ||
        (name === "extract" && key === "reason") ||
        ((name === "suggest" || name === "extract") && key.startsWith("suggestion"));
      const isEntryMessage = key === "message" && of.at(-1) === "data";
      const isOfWideSearch = name === "bankSearch" && (key === "country" || key === "bank_code");
      const mayBeAbsent =
        isEntryMessage ||
        isOfWideSearch ||
        (optional.includes(key) && !isAlwaysThere && !isInDirectory(name, of, key));
      // The one member of an error answer has the name of an optional one.
      const isOptional = mayBeAbsent && !(name === "error" && key === "error");
      assert.equal(fits(name, changed), isOptional, `${name} ${[...of, key].join(".")}`);
      caught++;
    }
  }
  assert.ok(caught > 200, `${caught} members`);
});

test("an answer with a member of another type is caught", () => {
  for (const [name, answer] of answers) {
    for (const { of, key } of membersIn(answer)) {
      for (const other of [-1, 0.5, true, ["x"], { x: 1 }]) {
        const changed = changedAt(answer, of, (object) => ({ ...object, [key]: other }));
        const isRight = ["valid", "main", "is_head_office", "deletion_marked", "assumed"].includes(key)
          ? other === true
          : ((["expected", "not_checked"].includes(key) || (key === "bics" && name === "bankLookup")) &&
              Array.isArray(other)) ||
            (key === "params" && Object.hasOwn(Object(other), "x"));
        assert.equal(
          fits(name, changed),
          isRight,
          `${name} ${[...of, key].join(".")} ${JSON.stringify(other)}`,
        );
      }
    }
  }
});

test("a status that the kind of answer does not know is caught", () => {
  for (const [name, unknown] of [
    ["accountCheck", 5],
    ["ibanCheck", 8],
    ["bankSearch", 2],
    ["ibanBatch", 0],
    ["ping", 0],
  ] as const) {
    const answer = answers.find(([candidate]) => candidate === name)?.[1];
    assert.ok(!fits(name, { ...Object(answer), status: unknown }), name);
  }
});

function fits(name: AnswerSchemaName, answer: unknown): boolean {
  const validate = answerValidators[name];
  assert.ok(validate);
  return validate(answer);
}

function schemaOf(operation: string, example: string): AnswerSchemaName {
  const names = routes.find((route) => route.operation === operation)?.answers ?? [];
  return names.length === 1 ? names[0]! : /Batch/.test(example) ? "ibanBatch" : "ibanCheck";
}

type Path = readonly string[];
type Json = Readonly<Record<string, unknown>>;

/** Every member of every object in a value: the way to the object, and the member's key. */
function membersIn(value: unknown, of: Path = []): readonly { readonly of: Path; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [{ of, key }]),
    // The parameters of a message have names of their own.
    ...(key === "params" ? [] : membersIn(inner, [...of, key])),
  ]);
}

/** A copy of a value in which the object at the end of a path is changed. */
function changedAt(value: unknown, path: Path, change: (object: Json) => Json): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return change(value as Json);
  const inner = changedAt((value as Json)[first], rest, change);
  return Array.isArray(value) ? value.with(Number(first), inner) : { ...(value as Json), [first]: inner };
}
