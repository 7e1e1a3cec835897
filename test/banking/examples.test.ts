import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { documentedIn, runExample } from "../examples.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

/** The functions of the domain that other rooms import, by file. */
function publicFunctions(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files.filter((name) => !name.startsWith("banking/"))) {
    const imports = readFileSync(join(source, file), "utf8").matchAll(
      /^import \{([^}]*)\} from "[^"]*banking\/([^"]+)"/gm,
    );
    for (const [, names = "", from = ""] of imports) {
      const known = found.get(from) ?? new Set();
      for (const name of names.split(",")) known.add(name.trim().replace(/ as .*/, ""));
      found.set(from, known);
    }
  }
  return found;
}

test("every function of the domain that other rooms use has an example, and each returns what it says", async () => {
  const scope: Record<string, unknown> = {};
  const examples: { name: string; code: string }[] = [];
  const wrong: string[] = [];
  for (const [file, names] of publicFunctions()) {
    const url = new URL(`../../src/banking/${file}`, import.meta.url);
    const exported = (await import(url.href)) as Record<string, unknown>;
    Object.assign(scope, exported);
    const inFile = documentedIn(url);
    for (const { name, code } of inFile) if (code !== undefined) examples.push({ name, code });
    for (const name of names) {
      if (typeof exported[name] !== "function") continue;
      if (inFile.every((entry) => entry.name !== name || entry.code === undefined))
        wrong.push(`${file}: ${name}`);
    }
  }
  assert.ok(examples.length > 25, String(examples.length));

  for (const example of examples) {
    await runExample(example, scope).catch((error: Error) => wrong.push(error.message));
  }
  assert.deepEqual(wrong, []);
});
