import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { requestExamples } from "../src/contract/openapi/responses.ts";
import { takePictures } from "./console/pictures.ts";
import { answerOf } from "./contract/openapi/example-requests.ts";
import { pagesWithTables, withTables } from "./readme-tables.ts";
import { startCompiledService } from "./service.ts";
import { writeVectors } from "./vectors/write-vectors.ts";

const root = new URL("../", import.meta.url);

/** Generators of files from the product, by name: `npm run generate -- readme`. */
const generators: Readonly<Record<string, () => void | Promise<void>>> = {
  "openapi-examples": async () => {
    const service = await startCompiledService();
    const answers: [string, unknown][] = [];
    for (const example of requestExamples) answers.push([example.name, await answerOf(service, example)]);
    await service.stop();
    const file = "src/contract/openapi/answer-examples.json";
    writeFileSync(new URL(file, root), JSON.stringify(Object.fromEntries(answers)));
    spawnSync("npx", ["biome", "format", "--write", file], { cwd: fileURLToPath(root), stdio: "inherit" });
  },
  readme: () => {
    for (const { file, tables } of pagesWithTables) {
      writeFileSync(file, withTables(readFileSync(file, "utf8"), tables));
    }
  },
  pictures: takePictures,
  vectors: writeVectors,
};

/** Vectors are what tests expect: they change on purpose alone. */
const onlyByName = ["vectors"];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in generators));
if (unknown.length > 0) {
  throw new Error(`unknown: ${unknown.join(", ")}; known are ${Object.keys(generators).join(", ")}`);
}
for (const [name, generate] of Object.entries(generators)) {
  if (wanted.length === 0 ? onlyByName.includes(name) : !wanted.includes(name)) continue;
  process.stdout.write(`${name}\n`);
  await generate();
}
