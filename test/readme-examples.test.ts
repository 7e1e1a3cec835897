import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { sharedService, testKey } from "./service.ts";
import { newFolder } from "./support/folders.ts";
import { root } from "./support/repository.ts";

const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = "", code = ""]) => ({ language, code }),
);

test("the commands of the README print what it shows", async () => {
  const service = await sharedService();
  const folder = newFolder();
  const checked = join(folder, "checked.csv");
  let compared = 0;
  for (const [at, { language, code }] of blocks.entries()) {
    if (language !== "sh" || code.startsWith("npm install")) continue;
    const command = code
      .replaceAll("http://127.0.0.1:8080", service.url)
      .replaceAll("$KEY", testKey)
      .replaceAll("checked.csv", `"${checked}"`);
    const { stdout } = await promisify(execFile)("sh", ["-ec", command], { cwd: root });
    const shown = blocks[at + 1];
    if (shown?.language === "json") assert.deepEqual(JSON.parse(stdout), JSON.parse(shown.code));
    else if (shown?.language === "csv") assert.ok(readFileSync(checked, "utf8").startsWith(shown.code));
    else assert.equal((JSON.parse(stdout) as { status: number }).status, 1);
    compared++;
  }
  assert.equal(compared, 4);
});
