import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { tap } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";
import { formatFailures, recordFailure, summary } from "./summary-reporter.js";

// Arguments pick the files whose path contains one of them; options (--…) go to the processes that run them.

/** Longer than any process takes on a machine that is busy with other things: only a test that hangs reaches it. */
const timeout = 3_600_000;

/**
 * The processes, slowest first, so that none of them runs alone at the end: each runs the files whose paths begin with one
 * of its words and with none of an earlier row. Files of one process share compiler, bank data, service and browser. A row
 * of a single file starts processes of its own most of the time, or looks at the whole of its process.
 */
const processes = [
  ["recipes/"],
  ["bench/tune."],
  ["bench/"],
  ["http/stream/"],
  ["http/", "contract/openapi/", "deploy/streams.", "readme-examples."],
  ["console/"],
  ["cli/file/resume."],
  ["cli/file/"],
  ["faults/log."],
  ["faults/kill.", "faults/privacy.", "faults/redis.", "faults/restart.", "faults/signals."],
  ["faults/usage-store.", "usage/"],
  ["faults/"],
  ["cli/data/data."],
  ["banks/editions/"],
  ["main."],
  ["supervisor."],
  ["deploy/docker."],
  ["hostile/connections."],
  ["hostile/hostile-clients."],
  ["hostile/"],
  ["cli/package."],
  ["cli/"],
  ["refused-start."],
  ["client/"],
  ["pool/"],
  ["kernel/"],
  ["banks/"],
  ["deploy/"],
  ["banking/", "checks/"],
  [""],
];

/** How many files run at once: two more than there are cores, since most wait for a service much of the time. */
const concurrency = availableParallelism() + 2;

const folder = fileURLToPath(new URL(".", import.meta.url));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".test.ts"),
);
const absent = processes.flat().filter((start) => !all.some((file) => file.startsWith(start)));
if (absent.length > 0)
  throw new Error(`the table of processes names files that are not there: ${absent.join(", ")}`);
const files = all.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part))).sort();

/** @param {string} file */
const contentOf = (file) => readFileSync(join(folder, file), "utf8");

/**
 * Whether a file has hooks, which are for its own tests only.
 * @param {string} file
 */
const hasHooks = (file) => /\b((before|after)(Each)?|use[A-Z]\w*)\(/.test(contentOf(file));

// Each process runs one file that is written here, so that the compiler and the bank data are loaded once. Test files with
// hooks are suites in it, one after the other. What its own end is to stop belongs to no suite and is loaded before them;
// so is what the others wait for while they load, or their tests would belong to no suite either.
const written = mkdtempSync(join(tmpdir(), "bankcheck-tests-"));
process.once("exit", () => rmSync(written, { recursive: true, force: true }));
const rowOf = (/** @type {string} */ file) =>
  processes.findIndex((row) => row.some((start) => file.startsWith(start)));
const entries = processes.flatMap(([start], row) => {
  const ofProcess = files.filter((file) => rowOf(file) === row);
  if (ofProcess.length === 0) return [];
  const url = (/** @type {string} */ path) => JSON.stringify(pathToFileURL(join(folder, path)).href);
  const hooked = ofProcess.filter(hasHooks);
  const plain = ofProcess.filter((file) => !hooked.includes(file));
  // Each of these is for the whole process.
  const shared = start === "console/" ? ["service.ts", "console/browser.ts"] : ["service.ts"];
  if (ofProcess.some((file) => contentOf(file).includes('"fast-check"'))) shared.push("support/seed.ts");
  const entry = join(written, `${row} ${start?.replaceAll("/", " ")}.mjs`);
  const lines = [
    'import { describe } from "node:test";',
    ...shared.map((path) => `import ${url(path)};`),
    ...plain.map((path) => `import ${url(path)};`),
    ...hooked.map((path) => `describe(${JSON.stringify(path)}, () => import(${url(path)}));`),
  ];
  writeFileSync(entry, `${lines.join("\n")}\n`);
  return [entry];
});

// Node 20 hands on what it was started with itself, newer ones what they are given. Commands of the bank data start
// themselves again where there is less heap than this; tests run them in their own process.
const heap = "--max-old-space-size=4096";
const asserts = new URL("support/bare-asserts.js", import.meta.url).href;
const execArgv = ["--import", "tsx", "--import", asserts, heap, `--test-timeout=${timeout}`, ...options];
process.execArgv.push(...execArgv);
process.chdir(join(folder, ".."));
const isTap = process.env["CI"] !== undefined;
/** @type {import("./summary-reporter.js").Failures} */
const failures = new Map();
run({ files: entries, concurrency, timeout, execArgv })
  .on("test:fail", (data) => {
    process.exitCode = 1;
    recordFailure(failures, data);
  })
  .compose(isTap ? tap : summary)
  .pipe(process.stdout);
process.once("exit", () => {
  // The end of a long log is what is looked at first.
  if (isTap && failures.size > 0) writeSync(2, formatFailures(failures));
  const list = process.env["FAILED_FILES"];
  if (list !== undefined)
    writeFileSync(list, [...failures.keys()].map((path) => `${relative("test", path)}\n`).join(""));
});
