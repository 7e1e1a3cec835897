import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const folders = [".deploy", ".github", "bench", "data", "src", "test", "workers"];
const builtFiles = new Set([
  "src/contract/api-types.ts",
  "src/contract/request-types.ts",
  "src/kernel/assembly/shared-constants.ts",
]);

/** Paths from the root of what people write: without what the build does, and without asking git, which may be absent. */
export const files: readonly string[] = folders
  .flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => !builtFiles.has(file))
  .sort();

/** All pages, the first one first. */
export const pages: readonly string[] = ["README.md", ...files.filter((file) => file.endsWith(".md"))];
