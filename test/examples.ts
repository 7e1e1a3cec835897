import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { transformSync } from "esbuild";

/** An `@example` of a docstring: code whose last line says after an arrow what it returns. */
export interface Example {
  /** The documented function or method. */
  readonly name: string;
  readonly code: string;
}

const documented =
  /\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\s*(?:export )?(?:class |(?:async )?function\*? |(?:async )?\*?)(\w+)[ (<]/g;

/** Returns the documented functions and methods of a source file, with the example of each; undefined if it has none. */
export function documentedIn(
  file: URL,
): readonly { readonly name: string; readonly code: string | undefined }[] {
  return [...readFileSync(file, "utf8").matchAll(documented)].map(([, text = "", name = ""]) => {
    const [, example] = text.split("@example");
    return { name, code: example?.replaceAll(/^\s*\* ?/gm, "").trim() };
  });
}

/** Runs an example with names in scope, and compares each result with the text after its arrow. */
export async function runExample(
  { name, code }: Example,
  scope: Readonly<Record<string, unknown>>,
): Promise<void> {
  const arrow = /^\s*(.*?);? \/\/ → (.*)$/gm;
  assert.match(code, arrow, `the example of ${name} does not say what it returns`);
  const statements = code.replaceAll(
    arrow,
    (_, expression: string, result: string) => `equal(${expression}, (${result}));`,
  );
  const { code: script } = transformSync(`async function run() {\n${statements}\n}`, { loader: "ts" });
  const equal = (actual: unknown, expected: unknown) =>
    assert.deepEqual(actual, expected, `${name}: it returns ${inspect(actual, { breakLength: Infinity })}`);
  const names = Object.keys(scope);
  const run = new Function(...names, "equal", `${script}\nreturn run();`);
  await run(...Object.values(scope), equal);
}
