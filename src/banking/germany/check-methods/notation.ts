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

export type Cursor = ReturnType<typeof cursorOver>;

/** Walks over the tokens of one line; every fault throws an Error that names the method and column. */
export function cursorOver(method: string, line: string) {
  /** The last one is empty and at the end. */
  const tokens = [...line.matchAll(token)];
  let next = 0;

  /** Throws an Error at the next token. */
  function fail(fault: string): never {
    const column = tokens[next]!.index + 1;
    throw new Error(`check-digit method ${method}: ${fault} at column ${column} of "${line}"`);
  }

  /** Throws an Error at the token taken last. */
  function reject(fault: string): never {
    next--;
    fail(fault);
  }

  /** Whether the next token has this text. */
  const sees = (text: string) => tokens[next]![0] === text;

  /** Whether the next token is a number. */
  const seesNumber = () => /^\d/.test(tokens[next]![0]);

  /** Takes the next token where it has this text. */
  function takes(text: string): boolean {
    const found = sees(text);
    if (found) next++;
    return found;
  }

  /** Takes the next token, which must have this text. */
  function expect(text: string): void {
    if (!takes(text)) fail(`expected "${text}"`);
  }

  /** Requires that nothing is left. */
  function end(): void {
    if (!sees("")) fail("expected the end");
  }

  function take(pattern: RegExp, description: string): string {
    if (!pattern.test(tokens[next]![0])) fail(`expected ${description}`);
    return tokens[next++]![0];
  }

  /** Takes a run of decimal digits, leading zeros kept. */
  const digits = () => take(/^\d/, "a number");

  /** Takes a word: a letter followed by letters and digits. */
  const word = () => take(/^[A-Za-z]/, "a word");

  /** Takes a whole number within bounds, both included. */
  function number(min: number, max: number): number {
    const value = Number(digits());
    if (value < min || value > max) reject(`${value} is not within ${min} to ${max}`);
    return value;
  }

  /** Takes items with a token of this text between them. */
  function list<Item>(separator: string, item: () => Item): readonly Item[] {
    const items = [item()];
    while (takes(separator)) items.push(item());
    return items;
  }

  return { reject, sees, seesNumber, takes, expect, end, digits, word, number, list };
}
