import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

// A build of unchanged sources does nothing: it would take half a minute of a processor, and `npm test`, the benches and
// the lint each begin with one.

const inputs = ["src", "workers", "data", "package.json", "package-lock.json", "tsconfig.json", "LICENSE"];

/** What the running build is made from, and what the last finished one was made from. */
const [begunFile, builtFile] = [".dist/sources.begun", ".dist/sources.built"];

/** The digest of all names and contents that a build in this folder reads. */
function digestOfSources(root: string): string {
  const digest = createHash("sha256");
  for (const input of inputs) {
    const top = join(root, input);
    const below = statSync(top).isFile() ? [""] : readdirSync(top, { recursive: true, encoding: "utf8" });
    for (const name of below.sort()) {
      const path = join(top, name);
      if (statSync(path).isFile())
        digest.update(`${input}/${name}\0`).update(readFileSync(path)).update("\0");
    }
  }
  return digest.digest("hex");
}

/** Whether `.dist` was built from what is here now. */
export function isBuilt(root = "."): boolean {
  const built = join(root, builtFile);
  return existsSync(built) && readFileSync(built, "utf8") === digestOfSources(root);
}

/** Notes what a build is made from, before it reads any of it: what is edited meanwhile makes the next one build again. */
export function beginBuild(root = "."): void {
  mkdirSync(join(root, ".dist"), { recursive: true });
  rmSync(join(root, builtFile), { force: true });
  writeFileSync(join(root, begunFile), digestOfSources(root));
}

/** Records that the build has finished. */
export function endBuild(root = "."): void {
  renameSync(join(root, begunFile), join(root, builtFile));
}
