import { type GermanAccount, KONTONUMMER_LENGTH } from "../account.ts";
import { AccountVerdict } from "../verdict.ts";
import { type AccountTest, compileCondition } from "./compile-condition.ts";
import { compileDigitSum } from "./compile-digit-sum.ts";
import { digitSumOf } from "./digit-sum.ts";
import { namedAlgorithms } from "./named-algorithms.ts";
import { type Block, type Clause, type MethodDefinition, NotationError } from "./notation.ts";

/** Checks an account without allocating. */
type AccountCheck = (account: GermanAccount) => AccountVerdict;

/** A method or named definition, ready to run. */
export interface CompiledDefinition {
  /** The definition as a whole. */
  readonly check: AccountCheck;
  /** Its clauses one by one, for single variants and explanations; the last one always applies. */
  readonly clauses: readonly CompiledClause[];
}

/** A clause, ready to run; `applies` is null where it always does. */
interface CompiledClause {
  readonly applies: AccountTest | null;
  readonly variants: readonly CompiledVariant[];
}

/** One variant, ready to run. */
interface CompiledVariant {
  readonly check: AccountCheck;
  /** Position 1-10 of its check digit in the padded number; null where it has none of its own. */
  readonly checkPosition: number | null;
  /** The definition it stands for, where it is not a calculation itself. */
  readonly definition: CompiledDefinition | null;
}

/**
 * Compiles all methods once into functions; references between them share one function.
 *
 * Throws a NotationError that names the method whose definition refers to an unknown method or to
 * itself, or shifts something that cannot be shifted.
 */
export function compileMethods(
  definitions: readonly MethodDefinition[],
): ReadonlyMap<string, CompiledDefinition> {
  const byName = new Map(definitions.map((definition) => [definition.method, definition]));
  const compiled = new Map<string, CompiledDefinition>();
  const pending = new Set<string>();

  function compileMethod(method: string, shift: number): CompiledDefinition {
    const key = `${method}<<${shift}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const definition = byName.get(method);
    if (definition === undefined) throw new RangeError(`there is no method ${method} to refer to`);
    if (pending.has(key)) throw new RangeError(`method ${method} refers to itself`);
    pending.add(key);
    const result = compileClauses(definition.clauses, shift);
    compiled.set(key, result);
    return result;
  }

  function compileClauses(source: readonly Clause[], shift: number): CompiledDefinition {
    const clauses = source.map(({ when, variants }) => ({
      applies: when === null ? null : compileCondition(when, shift),
      variants: variants.map((block) => compileBlock(block, shift)),
    }));
    return { check: clauses.reduceRight<AccountCheck>(clauseBefore, neverValid), clauses };
  }

  function compileBlock(block: Block, shift: number): CompiledVariant {
    switch (block.kind) {
      case "ok":
        return { check: alwaysUnchecked, checkPosition: null, definition: null };
      case "no":
        return { check: neverValid, checkPosition: null, definition: null };
      case "sum":
        return calculation(digitSumOf(block, shift));
      case "algorithm":
        if (shift > 0) throw new RangeError(`${block.name} cannot be shifted`);
        return calculation(namedAlgorithms[block.name]);
      case "method":
        return reference(compileMethod(block.method, shift));
      case "definition":
        return reference(compileClauses(block.clauses, shift));
      case "shift": {
        const definition = compileClauses(block.clauses, shift + block.by);
        const longest = KONTONUMMER_LENGTH - shift - block.by;
        return { ...reference(definition), check: upTo(longest, definition.check) };
      }
    }
  }

  return new Map(
    definitions.map(({ method }) => {
      try {
        return [method, compileMethod(method, 0)];
      } catch (error) {
        throw new NotationError(`check-digit method ${method}: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }),
  );
}

/** Gives the clause of a definition that applies to an account: the first whose condition holds. */
export function applicableClause({ clauses }: CompiledDefinition, account: GermanAccount): CompiledClause {
  let index = 0;
  let clause = clauses[index]!;
  while (clause.applies !== null && !clause.applies(account)) clause = clauses[++index]!;
  return clause;
}

function calculation(algorithm: (typeof namedAlgorithms)[keyof typeof namedAlgorithms]): CompiledVariant {
  const check = "check" in algorithm ? algorithm.check : compileDigitSum(algorithm);
  return { check, checkPosition: algorithm.checkPosition, definition: null };
}

function reference(definition: CompiledDefinition): CompiledVariant {
  return { check: definition.check, checkPosition: null, definition };
}

function clauseBefore(rest: AccountCheck, { applies, variants }: CompiledClause): AccountCheck {
  const check = variants.map((variant) => variant.check).reduceRight(eitherOf);
  return applies === null ? check : (account) => (applies(account) ? check(account) : rest(account));
}

function eitherOf(second: AccountCheck, first: AccountCheck): AccountCheck {
  return (account) => {
    const verdict = first(account);
    return verdict === AccountVerdict.invalid ? second(account) : verdict;
  };
}

// The digits a shift pushes out must be zero, so only short numbers can be shifted.
function upTo(longest: number, check: AccountCheck): AccountCheck {
  return (account) => (account.significant <= longest ? check(account) : AccountVerdict.invalid);
}

function alwaysUnchecked(): AccountVerdict {
  return AccountVerdict.unchecked;
}

function neverValid(): AccountVerdict {
  return AccountVerdict.invalid;
}
