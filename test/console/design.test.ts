import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../src/console/", import.meta.url);
const styles = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".css"))
  .map((file) => ({ file, css: readFileSync(new URL(file, folder), "utf8") }));
const tokens = new Set(styles.flatMap(({ css }) => css.match(/--[\w-]+(?=:)/g) ?? []));
/** Set by the script that makes the table. */
const computed = new Set(["--columns", "--width", "--characters", "--left-1", "--left-2", "--left-3"]);

test("every colour and space of the console is a token of the design system, and every token that is used exists", () => {
  for (const { file, css } of styles) {
    assert.deepEqual(css.match(/^ +(?:padding|margin|gap)[\w-]*:[^;]*\drem/gm) ?? [], [], file);
    if (!file.endsWith("design.css"))
      assert.deepEqual(css.match(/#[\da-f]{3,8}\b(?=[;,)])|\brgba?\(|\bhsla?\(/gi) ?? [], [], file);
    const sizes = css.match(/^ +font-size:(?! var\(--text|\n? *clamp).*/gm) ?? [];
    assert.deepEqual(sizes, [], `${file}: a step of the type scale`);
    const used = [...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!);
    const unknown = used.filter((name) => !tokens.has(name) && !computed.has(name));
    assert.deepEqual(unknown, [], file);
  }
});
