import { readFileSync, writeFileSync } from "node:fs";
import { takePictures } from "./console/pictures.ts";
import { pagesWithTables, withTables } from "./readme-tables.ts";
import { root } from "./support/repository.ts";
import { writeVectors } from "./vectors/write-vectors.ts";

/** Generators of files from the product, by name: `npm run generate -- readme`. */
const generators: Readonly<Record<string, () => void | Promise<void>>> = {
  readme: () => {
    for (const [page, tables] of Object.entries(pagesWithTables))
      writeFileSync(root + page, withTables(readFileSync(root + page, "utf8"), tables));
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
