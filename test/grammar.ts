import { readFileSync } from "node:fs";
import { Dialect, LocalLinter } from "harper.js";
import { binary } from "harper.js/binary";
import { pages, root } from "./support/repository.ts";
import { words } from "./support/words.ts";
import { userTexts } from "./user-texts.ts";

// Checks the grammar of all pages and of the texts that users see; `npm run check` runs it. Matters of taste and of
// typography are left out, spelling is cspell's.
const checkedKinds = new Set(words`
  Agreement BoundaryError Eggcorn Grammar Malapropism Nonstandard Punctuation Repetition Usage
`);

/** Rules that are mistaken here: of field names, of "as its limit allows", of "each of the last days". */
const mistakenRules = /space after a comma|`it's`|`the last few`|Drop the repeated verb/;

/** A page without its code and its generated tables, whose texts come from the tables below. */
function proseOf(page: string): string {
  return readFileSync(root + page, "utf8")
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/<!-- ([\w-]+) -->.*?<!-- \/\1 -->/gs, "")
    .replaceAll(/`[^`\n]+`/g, "x");
}

const linter = new LocalLinter({ binary, dialect: Dialect.British });
await linter.setLintConfig({ ...(await linter.getDefaultLintConfig()), SpellCheck: false });
let faults = 0;

async function check(place: string, text: string): Promise<void> {
  for (const lint of await linter.lint(text, { language: "markdown" })) {
    if (!checkedKinds.has(lint.lint_kind()) || mistakenRules.test(lint.message())) continue;
    const { start } = lint.span();
    const around = text.slice(Math.max(0, start - 30), start + 40).replaceAll("\n", " ");
    process.stderr.write(`${place}: …${around}…\n  ${lint.message()}\n`);
    faults++;
  }
}

for (const page of pages) await check(page, proseOf(page));
for (const { texts } of userTexts) for (const { place, text } of texts) await check(place, text);
process.exitCode = faults === 0 ? 0 : 1;
