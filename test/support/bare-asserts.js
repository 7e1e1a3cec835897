import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";

// `assert.ok(x)` without a message looks for its own source at the place where the compiled code has it. tsx compiles each
// file to few lines, so that Node 20 parses the wrong text again and again: minutes for a file of 300 lines. This `ok` takes
// the line from the stack, which source maps have put right.

/**
 * @param {unknown} value
 * @param {string | Error} [message]
 */
function ok(value, message) {
  if (value) return;
  if (message instanceof Error) throw message;
  /** @type {{ stack?: string }} */
  const caller = {};
  Error.captureStackTrace(caller, ok);
  throw new assert.AssertionError({
    message: message ?? `Expected a truthy value: ${sourceLine(caller.stack)}`,
    actual: value,
    expected: true,
    operator: "==",
    stackStartFn: ok,
  });
}

/**
 * The line of the source that called, or its place if that cannot be read.
 * @param {string | undefined} stack
 */
function sourceLine(stack = "") {
  const [, place = "", file = "", line = ""] =
    /\n\s+at .*?((file:\/\/[^\n)]+?|\/[^\n):]+):(\d+):\d+)/.exec(stack) ?? [];
  try {
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    return readFileSync(path, "utf8").split("\n")[Number(line) - 1]?.trim() || place;
  } catch {
    return place;
  }
}

assert.ok = /** @type {typeof assert.ok} */ (ok);
syncBuiltinESMExports();
