/**
 * The notation of the check-digit methods, one line each in `data/de-check-methods.json`.
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
 * - `pre(436338)`: Luhn over these digits followed by d1 to d9, compared with d10; `pre(436338; 2-9)`: by d2 to d9.
 * - `alg24`, `eser8`, …: an algorithm the notation has no form for, see `named-algorithms.ts`.
 *
 * A condition tests the value `v`, its length `n` without leading zeros, or digits `d1-2` read as a number.
 *
 * Source: Deutsche Bundesbank, Prüfzifferberechnungsmethoden, text of August 2025.
 */
const token = /\d+|[A-Za-z][A-Za-z0-9]*|\.\.|>=|\S|$/g;

/** Walks over the tokens of one line; every fault throws an Error that names the method and column. */
export class Cursor {
  readonly #method: string;
  readonly #line: string;
  /** The last one is empty and at the end. */
  readonly #tokens: readonly RegExpExecArray[];
  #next = 0;

  constructor(method: string, line: string) {
    this.#method = method;
    this.#line = line;
    this.#tokens = [...line.matchAll(token)];
  }

  /** Whether the next token has this text. */
  sees(text: string): boolean {
    return this.#text === text;
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

  /** Takes items with a token of this text between them. */
  list<Item>(separator: string, item: () => Item): readonly Item[] {
    const items = [item()];
    while (this.takes(separator)) items.push(item());
    return items;
  }

  /** Takes a run of decimal digits, leading zeros kept. */
  digits(): string {
    return this.#take(/^\d/, "a number");
  }

  /** Takes a whole number within bounds, both included. */
  number(min: number, max: number): number {
    const value = Number(this.digits());
    if (value < min || value > max) this.reject(`${value} is not within ${min} to ${max}`);
    return value;
  }

  /** Takes a word: a letter followed by letters and digits. */
  word(): string {
    return this.#take(/^[A-Za-z]/, "a word");
  }

  /** Whether the next token is a number. */
  seesNumber(): boolean {
    return /^\d/.test(this.#text);
  }

  /** Requires that nothing is left. */
  end(): void {
    if (!this.sees("")) this.fail("expected the end");
  }

  /** Throws an Error at the token taken last. */
  reject(fault: string): never {
    this.#next--;
    this.fail(fault);
  }

  /** Throws an Error at the next token. */
  fail(fault: string): never {
    const column = this.#tokens[this.#next]!.index + 1;
    throw new Error(`check-digit method ${this.#method}: ${fault} at column ${column} of "${this.#line}"`);
  }

  get #text(): string {
    return this.#tokens[this.#next]![0];
  }

  #take(pattern: RegExp, description: string): string {
    const text = this.#text;
    if (!pattern.test(text)) this.fail(`expected ${description}`);
    this.#next++;
    return text;
  }
}
