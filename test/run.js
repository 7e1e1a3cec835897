import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Node 20 does not expand patterns for its test runner, so the files are collected here.
// Arguments pick the files whose path contains one of them; options (--…) go to node. The variables that ask for a
// test's long form also give it the time.
const longForms = ["CONSOLE_ROWS", "KILL_ROUNDS", "MUTATIONS", "RANDOM_IBANS", "RELOADS", "RESTARTS"];
const timeoutMs = longForms.some((name) => process.env[name] !== undefined) ? 3_600_000 : 600_000;
const folder = fileURLToPath(new URL(".", import.meta.url));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
  .map((file) => `test/${file}`);
const run = spawnSync(
  process.execPath,
  ["--import", "tsx", `--test-timeout=${timeoutMs}`, ...options, "--test", "--test-concurrency=2", ...files],
  {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  },
);
process.exitCode = run.status ?? 1;
