import table from "../../../../data/de-check-methods.json" with { type: "json" };
import type { Clause, MethodDefinition } from "./notation.ts";
import { parseMethod } from "./parse.ts";

const UNASSIGNED = "unassigned";

const named = new Map<string, readonly Clause[]>();
for (const [name, line] of Object.entries(table.named))
  named.set(name, parseMethod(name, line, named).clauses);

/**
 * All assigned check-digit methods, 00 to E4 without 12, in the order of their names.
 *
 * Parsed once from `data/de-check-methods.json` when the module is loaded; plain data, so that any
 * executor can be compiled from it.
 */
export const methodDefinitions: readonly MethodDefinition[] = Object.entries(table.methods)
  .filter(([, line]) => line !== UNASSIGNED)
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .map(([method, line]) => parseMethod(method, line, named));
