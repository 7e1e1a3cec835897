import { readFileSync } from "node:fs";

/** The definition of the lines of a vector file. */
export interface VectorSchema {
  /** Name of the file. */
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
  readonly required: readonly string[];
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** The published schema: one definition for each file, and those that they share. */
export const vectorSchema = JSON.parse(read("schema.json")) as {
  readonly $defs: Readonly<Record<string, VectorSchema>>;
};

/** The vector files by their definitions. */
export const vectorFiles = Object.entries(vectorSchema.$defs)
  .filter(([, { title }]) => title !== undefined)
  .map(([id, schema]) => ({ id, name: schema.title, schema }));

/** Returns the lines of a vector file of this folder. */
export function readVectorLines(name: string): readonly Readonly<Record<string, unknown>>[] {
  return read(name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
