import { changeSteps } from "./change-steps.ts";
import { compileCondition } from "./conditions.ts";
import { decisionSteps } from "./decision-steps.ts";
import type { Draft } from "./draft.ts";
import type { Refusal, RuleTable, Step } from "./rule-table.ts";

/**
 * What a step leads to: the `next` step; the end of the rule with the usual test of the check digit
 * (`check`), with none (`accept`) or after a test of the rule's own (`fits`); or no IBAN.
 */
export type StepOutcome = "next" | "check" | "accept" | "fits" | Refusal;

/** A compiled step: works on the draft and says how the rule goes on. */
export type RunStep = (draft: Draft) => StepOutcome;

/** Per kind of step, its compiler. Throws for a step whose numbers, methods or tables are not right. */
export type StepCompilers<Kind extends Step["do"]> = {
  readonly [K in Kind]: (step: Extract<Step, { readonly do: K }>, table: RuleTable) => RunStep;
};

const stepCompilers: StepCompilers<Step["do"]> = { ...decisionSteps, ...changeSteps };

/**
 * Compiles one step, its conditions around it.
 *
 * Throws for a kind of step, a condition, a method or a table that does not exist, and for malformed numbers.
 */
export function compileStep(step: Step, table: RuleTable): RunStep {
  if (!Object.hasOwn(stepCompilers, step.do)) throw new Error(`unknown step "${step.do}"`);
  const compile = stepCompilers[step.do] as (step: Step, table: RuleTable) => RunStep;
  const run = compile(step, table);
  const when = step.when === undefined ? undefined : compileCondition(step.when);
  const unless = step.unless === undefined ? undefined : compileCondition(step.unless);
  return (draft) => {
    if (when !== undefined && !when(draft)) return "next";
    if (unless?.(draft)) return "next";
    return run(draft);
  };
}
