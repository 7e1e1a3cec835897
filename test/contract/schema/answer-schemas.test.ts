import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { answerSchemas } from "../../../src/contract/schema/answer-schemas.ts";
import { words } from "../../support/words.ts";
import { closed } from "../answer-validators.ts";

interface Schema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** A schema and all within it, each with its name: its title, or the way to it. */
function schemasIn(name: string, schema: Schema): readonly (readonly [name: string, schema: Schema])[] {
  const { title = name, properties = {}, items } = schema;
  return [
    [title, schema] as const,
    ...Object.entries(properties).flatMap(([key, inner]) => schemasIn(`${title}.${key}`, inner)),
    ...(items === undefined ? [] : schemasIn(`${title}[]`, items)),
  ];
}

const schemas = new Map(
  Object.entries<Schema>(answerSchemas).flatMap(([name, schema]) => schemasIn(name, schema)),
);
const objects = [...schemas].filter(([, { properties }]) => properties !== undefined);

/** Members that an answer may go without, by the object that has them. */
const optional: Readonly<Record<string, readonly string[]>> = {
  AccountCheckData: words`
    sepa_methods assumed reason severity message checks messages sources suggestions suggestion_count
  `,
  IbanCheckData: words`
    kind assumed reason severity message checks messages sources suggestions suggestion_count sepa_reach
  `,
  CheckEntry: words`detail messages position expected`,
  Message: ["params"],
  ErrorObject: words`field messages`,
  IbanBatchEntry: ["error"],
  "IbanBatchAnswer.batch": ["suggestions_omitted"],
  StreamLine: words`line id valid status error`,
  "SummaryLine.summary": ["next_line"],
  BankSearchItem: words`country bank_code`,
  UsageAnswer: ["as_of"],
  "UsageAnswer.key": ["days"],
  "UsageAnswer.all_keys": ["days"],
};

test("an answer has every member of its objects but the optional ones", () => {
  const names = objects.map(([name]) => name);
  for (const name of Object.keys(optional)) assert.ok(names.includes(name), name);
  for (const [name, { properties = {}, required = [] }] of objects) {
    const absent = Object.keys(properties).filter((key) => !required.includes(key));
    assert.deepEqual(absent, optional[name] ?? [], name);
  }
});

/** The members that accept values which are neither a text nor a whole number from 0 on, by those values. */
const accepting = {
  "[true]": words`
    AccountCheckData.assumed BankSearchItem.main ExtractedIban.valid HealthAnswer.data.expired
    IbanBatchEntry.valid IbanCheckData.assumed MetricsAnswer.data.expired StreamLine.valid
    deletion_marked is_first is_head_office is_old
  `,
  '[["x"]]': words`BankLookupAnswer.data.bics CheckEntry.expected not_checked`,
  '[{"x":1}]': words`
    Message.params OpenApiDocument.info OpenApiDocument.paths StreamLine
    SummaryLine.summary.reasons SummaryLine.summary.warnings
  `,
  "[-1,0.5]": words`StreamLine.id bounds_ms[]`,
  "[-1]": words`StreamLine.status age_days`,
  "[0.5]": words`WorkPeriod.at WorkPeriod.seconds event_loop_delay_p99_ms p50_ms p99_ms`,
};

test("a value of another type is refused in any member", () => {
  const ajv = new Ajv();
  const found = [...schemas].map(([name, schema]) => {
    const fits = ajv.compile(closed(schema));
    const others = [-1, 0.5, true, ["x"], { x: 1 }].filter((other) => fits(other));
    // A name of several words says enough without its object.
    return [JSON.stringify(others), name.replace(/^.*\.(?=\w+_)/, "")] as const;
  });
  const namesOf = (others: string) => found.flatMap(([fitting, name]) => (fitting === others ? [name] : []));
  for (const [others, names] of Object.entries(accepting))
    assert.deepEqual([...new Set(namesOf(others))].sort(), names, others);
  const known = ["[]", ...Object.keys(accepting)];
  for (const [others, name] of found) assert.ok(known.includes(others), `${name} accepts ${others}`);
});
