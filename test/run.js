import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "node:test";
import { spec, tap } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";

// Arguments pick the files whose path contains one of them; options (--…) go to the processes that run them. The
// variables that ask for a test's long form also extend its time limit.
const longForms = [
  "CONFORMANCE_RUNS",
  "CONSOLE_ROWS",
  "KILL_ROUNDS",
  "MUTATIONS",
  "RANDOM_IBANS",
  "RELOADS",
  "RESTARTS",
];
const timeout = longForms.some((name) => process.env[name] !== undefined) ? 3_600_000 : 600_000;

/**
 * Files of these folders start nothing and have no hooks around each test: each folder runs in one process, so that the
 * compiler and the bank data are loaded once.
 */
const together = [
  "banking/",
  "banks/directory/",
  "banks/import/",
  "banks/search/",
  "checks/",
  "contract/schema/",
  "kernel/",
  "suggest/",
];

/** What a file has that needs a process of its own; all others, which are small, share one. */
const needsOwnProcess =
  /\b(before|after)Each\(|child_process|service\.ts"|marked-service|lmdb|redis|browser|process\.(exit|on)|\bnew CheckPool\b/;

/** What takes longest starts first, so that none of it runs alone at the end. */
const longest = [
  "contract/openapi/conformance",
  "deploy/docker",
  "cli/file/resume",
  "supervisor.",
  "console/accessibility",
  "main.",
  "console/pool-view",
  "cli/data/data",
  "hostile/hostile-clients",
  "faults/log",
  "bench/tune.",
  "hostile/connections",
  "cli/",
  "faults/",
  "console/",
  "bench/",
  "banks/",
  "deploy/",
  "http/",
  "recipes/",
  "kernel/",
];

/** How many files run at once: two more than there are cores, since most wait for a service much of the time. */
const concurrency = availableParallelism() + 2;

const folder = fileURLToPath(new URL(".", import.meta.url));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));

/** @param {string} file */
function rank(file) {
  const place = longest.findIndex((part) => file.startsWith(part));
  return place === -1 ? longest.length : place;
}

// Files that share a process are modules of one file that is written here.
const written = mkdtempSync(join(tmpdir(), "bankcheck-tests-"));
process.once("exit", () => rmSync(written, { recursive: true, force: true }));

/**
 * The name of the process that a file runs in.
 * @param {string} file
 */
function processOf(file) {
  const content = readFileSync(join(folder, file), "utf8");
  if (content.includes("sharedService(")) return "one service";
  if (content.includes('browser.ts"')) return "one browser";
  const part = together.find((start) => file.startsWith(start));
  return part ?? (needsOwnProcess.test(content) ? file : "small files");
}

/** @type {Map<string, string[]>} */
const processes = new Map();
for (const file of files) {
  const name = processOf(file);
  processes.set(name, [...(processes.get(name) ?? []), join(folder, file)]);
}
const entries = [...processes].map(([name, paths]) => {
  const [only = ""] = paths;
  if (paths.length === 1) return only;
  const entry = join(written, `${name.replaceAll("/", " ")}.mjs`);
  writeFileSync(entry, paths.map((path) => `import ${JSON.stringify(pathToFileURL(path).href)};\n`).join(""));
  return entry;
});

// Node 20 hands on what it was started with itself, newer ones what they are given.
const execArgv = ["--import", "tsx", `--test-timeout=${timeout}`, ...options];
process.execArgv.push(...execArgv);
process.chdir(join(folder, ".."));
run({ files: entries, concurrency, timeout, execArgv })
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .compose(process.stdout.isTTY ? new spec() : tap)
  .pipe(process.stdout);
