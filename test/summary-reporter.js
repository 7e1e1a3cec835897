import { join, relative } from "node:path";

/** @typedef {Map<string, string[]>} Failures Name and cause of each failed test, by file. */

/**
 * Adds a failed test, but not a suite that fails because of the tests in it. A process that failed before its tests says why
 * in what it printed.
 * @param {Failures} failures
 * @param {import("node:test").EventData.TestFail} data
 */
export function recordFailure(failures, { details, file = "", name }, printed = "") {
  if (details.type === "suite" && !hasFailedHook(details.error)) return;
  // A test file with hooks is a suite of its process.
  const path =
    name.endsWith(".test.ts") && name !== file ? join("test", name) : relative(process.cwd(), file);
  // The outermost error is of the test runner.
  const causes = causesOf(details.error)
    .slice(1)
    .map((error) => error.stack ?? error.message);
  const why = (name === file && printed.trimEnd()) || causes.join("\n") || details.error.message;
  failures.set(path, [...(failures.get(path) ?? []), `${name}\n${why}`]);
}

/**
 * An error, what caused it, what caused that …: `fetch` says "fetch failed", and its cause says why.
 * @param {unknown} error
 * @returns {readonly Error[]}
 */
function causesOf(error) {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/**
 * Whether a hook has failed, so that no test of its suite says why.
 * @param {unknown} error
 */
function hasFailedHook(error) {
  return /** @type {{ failureType?: string } | undefined} */ (error)?.failureType === "hookFailed";
}

/** @param {Failures} failures */
export function formatFailures(failures) {
  const lines = [...failures].flatMap(([path, ofFile]) => [
    `\n${path}`,
    ...ofFile.map((failure) => failure.replaceAll(/^(?=.)/gm, "  ")),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

/** How much of what processes print is kept, in characters. */
const maxPrinted = 2_000;

/**
 * A reporter for people: one line for each file that fails or is done, then what was skipped and why, the failures by file,
 * and the sums. Test events come from `run` of `node:test`; what processes print in between is left out.
 * @param {AsyncIterable<import("node:test").TestEvent>} events
 */
export async function* summary(events) {
  const begin = performance.now();
  let passed = 0;
  /** @type {Map<string, number>} */
  const skipped = new Map();
  /** @type {Failures} */
  const failures = new Map();
  /** @type {Set<string>} */
  const begun = new Set();
  let printed = "";
  for await (const { type, data } of events) {
    if (type === "test:stderr") printed = (printed + data.message).slice(-maxPrinted);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { details, file = "" } = data;
    // A suite, like a process, fails because of the tests in it, or because of its hooks.
    if (details.type === "suite" && (type === "test:pass" || !hasFailedHook(data.details.error))) continue;
    const path = relative(process.cwd(), file);
    if (!begun.has(path)) {
      begun.add(path);
      yield `${path}\n`;
    }
    if (type === "test:fail") {
      recordFailure(failures, data, printed);
      yield `  failed: ${data.name}\n`;
    } else if (data.skip === undefined || data.skip === false) passed++;
    else {
      const why = typeof data.skip === "string" && data.skip !== "" ? data.skip : "without a reason";
      skipped.set(why, (skipped.get(why) ?? 0) + 1);
    }
  }
  const sum = (/** @type {Iterable<number>} */ counts) => [...counts].reduce((all, count) => all + count, 0);
  if (skipped.size > 0) {
    const reasons = [...skipped].map(([why, count]) => `${count} (${why})`).join(", ");
    yield `\nSkipped: ${reasons}.\n`;
  }
  yield formatFailures(failures);
  const failed = sum([...failures.values()].map((ofFile) => ofFile.length));
  const seconds = Math.round((performance.now() - begin) / 1_000);
  yield `\n${passed} passed, ${failed} failed, ${sum(skipped.values())} skipped\nTests took ${seconds} s.\n`;
}
