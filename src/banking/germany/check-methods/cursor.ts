import { NotationError } from "./notation.ts";

const tokenPattern = /\s*(?:(\d+)|([A-Za-z][A-Za-z0-9]*)|(\.\.|>=|[(){}:;,@+<>=-]))/y;

interface Token {
  readonly kind: "number" | "word" | "sign" | "end";
  readonly text: string;
  readonly column: number;
}

/** Walks over the tokens of one notation line; every fault throws a {@link NotationError} that names the method and column. */
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
    if (value < min || value > max) {
      this.back();
      this.fail(`${value} is not within ${min} to ${max}`);
    }
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

  /** Goes one token back, so that a fault found after taking it points at it. */
  back(): void {
    this.#next--;
  }

  /** Throws a {@link NotationError} at the next token. */
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

  #fault(fault: string, column: number): NotationError {
    return new NotationError(
      `check-digit method ${this.method}: ${fault} at column ${column} of "${this.#line}"`,
    );
  }
}
