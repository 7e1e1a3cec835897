import type { RemainderOutcome, SumRuleName } from "./digit-sum.ts";
import type { AlgorithmName } from "./named-algorithms.ts";

/**
 * The check-digit methods as plain data: what a line of `data/de-check-methods.json` says, parsed.
 *
 * Forms of a line, evaluated left to right:
 *
 * - `A else B`: B is tried where A does not accept; the alternatives are the method's variants.
 * - `when c: A; B`: where c holds, A alone decides, otherwise B.
 * - `ok` / `no`: no check digit is defined / invalid.
 * - `@06`: method 06 as a whole; `X51`, `K76`, `range96`: a named definition of the same file.
 * - `m11(1-9>10; 2 3 4)`: a sum block: positions used, `>` check digit position, weights from right to
 *   left, repeated when the list is too short; see `digit-sum.ts`.
 * - `shl(2; A)`: only where the first two digits are 0: A on the number moved two places to the left.
 * - `pre(436338)`: Luhn over these digits followed by d1 to d9, compared with d10.
 * - `alg24`, `m10h`, …: an algorithm the notation has no form for, see `named-algorithms.ts`.
 *
 * Source: Deutsche Bundesbank, Prüfzifferberechnungsmethoden, text of August 2025.
 */
export interface MethodDefinition {
  /** The Bundesbank's name, two characters. */
  readonly method: string;
  /** In order; the last one has no condition. */
  readonly clauses: readonly Clause[];
}

/** Variants that decide alone where the condition holds; the first clause that applies counts. */
export interface Clause {
  readonly when: Condition | null;
  /** Alternatives of `else`, tried in order. */
  readonly variants: readonly Variant[];
}

/** One alternative: a calculation, an outright answer, or a definition used inside another. */
export type Variant =
  | SumBlock
  | { readonly kind: "ok" }
  | { readonly kind: "no" }
  | { readonly kind: "method"; readonly method: string }
  | { readonly kind: "definition"; readonly name: string; readonly clauses: readonly Clause[] }
  | { readonly kind: "shift"; readonly by: number; readonly clauses: readonly Clause[] }
  | { readonly kind: "algorithm"; readonly name: AlgorithmName };

/** A weighted sum over some digits and the check digit that follows from it. */
export interface SumBlock {
  readonly kind: "sum";
  readonly rule: SumRuleName;
  /** Positions 1-10 that enter the sum, ascending. */
  readonly positions: readonly number[];
  /** One weight per entry of `positions`. */
  readonly weights: readonly number[];
  /** Position 1-10 of the check digit; null if the rule only tests the sum (`zero11`). */
  readonly checkPosition: number | null;
  /** Added to the sum before the check digit is taken: `+7`, or the part of a `pre(…)` prefix. */
  readonly plus: number;
  /** Outcomes the line states for single remainders, in place of the rule's own. */
  readonly remainders: readonly { readonly remainder: number; readonly outcome: RemainderOutcome }[];
}

/** A test on the account number that chooses a clause. */
export type Condition =
  | { readonly kind: "in"; readonly subject: Subject; readonly ranges: readonly NumberRange[] }
  | { readonly kind: "not"; readonly operand: Condition }
  | { readonly kind: "and" | "or"; readonly operands: readonly Condition[] };

/** Operand of a comparison: the value `v`, its length `n` without leading zeros, or digits `d1-2` read as a number. */
export type Subject =
  | { readonly kind: "value" }
  | { readonly kind: "length" }
  | { readonly kind: "digits"; readonly from: number; readonly to: number };

/** A range of whole numbers, both ends included; `max` may be Infinity. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const tokenPattern = /\s*(?:(\d+)|([A-Za-z][A-Za-z0-9]*)|(\.\.|>=|[(){}:;,@+<>=-]))/y;

interface Token {
  readonly kind: "number" | "word" | "sign" | "end";
  readonly text: string;
  readonly column: number;
}

/** Walks over the tokens of one notation line; every fault throws an Error that names the method and column. */
export class Cursor {
  readonly method: string;
  readonly #line: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(method: string, line: string) {
    this.method = method;
    this.#line = line;
    this.#tokens = this.#tokenise();
  }

  /** Whether the next token has this text. */
  sees(text: string): boolean {
    return this.#peek().text === text;
  }

  /** Takes the next token where it has this text. */
  takes(text: string): boolean {
    const found = this.sees(text);
    if (found) this.#next++;
    return found;
  }

  /** Takes the next token, which must have this text. */
  expect(text: string): void {
    if (!this.takes(text)) this.fail(`expected "${text}"`);
  }

  /** Takes a run of decimal digits, leading zeros kept. */
  digits(): string {
    return this.#take("number", "a number");
  }

  /** Takes a whole number within bounds, both included. */
  number(min: number, max: number): number {
    const value = Number(this.digits());
    if (value < min || value > max) this.reject(`${value} is not within ${min} to ${max}`);
    return value;
  }

  /** Takes a word: a letter followed by letters and digits. */
  word(): string {
    return this.#take("word", "a word");
  }

  /** Whether the next token is a number. */
  seesNumber(): boolean {
    return this.#peek().kind === "number";
  }

  /** Requires that nothing is left. */
  end(): void {
    if (this.#peek().kind !== "end") this.fail("expected the end");
  }

  /** Throws an Error at the token taken last. */
  reject(fault: string): never {
    this.#next--;
    this.fail(fault);
  }

  /** Throws an Error at the next token. */
  fail(fault: string): never {
    throw this.#fault(fault, this.#peek().column);
  }

  #take(kind: Token["kind"], description: string): string {
    const token = this.#peek();
    if (token.kind !== kind) this.fail(`expected ${description}`);
    this.#next++;
    return token.text;
  }

  #peek(): Token {
    return this.#tokens[this.#next]!;
  }

  #tokenise(): readonly Token[] {
    const line = this.#line.trimEnd();
    const tokens: Token[] = [];
    tokenPattern.lastIndex = 0;
    let column = 1;
    while (column <= line.length) {
      const match = tokenPattern.exec(line);
      if (match === null) throw this.#fault("unreadable sign", column);
      const [, number, word, sign] = match;
      const text = number ?? word ?? sign!;
      const kind = number !== undefined ? "number" : word !== undefined ? "word" : "sign";
      tokens.push({ kind, text, column: tokenPattern.lastIndex - text.length + 1 });
      column = tokenPattern.lastIndex + 1;
    }
    tokens.push({ kind: "end", text: "", column });
    return tokens;
  }

  #fault(fault: string, column: number): Error {
    return new Error(`check-digit method ${this.method}: ${fault} at column ${column} of "${this.#line}"`);
  }
}
