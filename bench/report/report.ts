import { readFileSync, writeFileSync } from "node:fs";
import { productVersion } from "../../src/settings.ts";
import { shippedMix } from "../../test/support/shipped-directory.ts";
import { fail, print } from "../command.ts";
import { type Cells, type LoadFigures, tablesOf } from "../figures.ts";
import { type Machine, machineLine } from "./machine.ts";
import { page, type Section } from "./page.ts";

/** The result of a run: the JSON file has these members, in this shape for all commands. */
export interface Result {
  readonly tool: "bench" | "tune" | "overload" | "target";
  /** When the run ended: ISO 8601, UTC. */
  readonly at: string;
  readonly machine: Machine;
  /** The service that was measured; null for what it does not say. */
  readonly service: {
    readonly url?: string;
    readonly version: string | null;
    readonly edition: string | null;
  };
  /** Options of the run and settings of the service. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Why the run ended early; null for a whole one. */
  readonly ended: string | null;
  readonly loads: readonly LoadFigures[];
  /** What only this command finds: recommended settings, ratios, micro benchmarks. */
  readonly findings: Readonly<Record<string, unknown>>;
}

/** The service of this checkout, with the edition of its German bank data. */
export async function thisService(): Promise<Result["service"]> {
  return { version: productVersion, edition: (await shippedMix()).edition };
}

/** Prints the report as text, and writes it as one HTML file with the result as JSON beside it. */
export function writeReport(file: string, result: Omit<Result, "at">, sections: readonly Section[]): void {
  for (const { verbatim, notes = [], loads = [] } of sections) {
    for (const [load, table] of tablesOf(loads, false)) print(`${load}\n${aligned(table)}\n`);
    for (const note of notes) print(`- ${note}`);
    if (verbatim !== undefined) print(`\n${verbatim}\n`);
  }
  const { tool, machine, service, ended } = result;
  const at = new Date().toISOString();
  const title = ["bankcheck", tool, service.url].filter(Boolean).join(": ");
  const summary = `${at.slice(0, 10)}; ${machineLine(machine)}.`;
  writeFileSync(file, page(title, ended === null ? [summary] : [summary, ended], sections));
  writeFileSync(resultFile(file), `${JSON.stringify({ ...result, at }, null, 2)}\n`);
  print(`The report is ${file}, the figures are ${resultFile(file)}.`);
}

function resultFile(report: string): string {
  return `${report.replace(/\.html?$/, "")}.json`;
}

/** Reads the result of an earlier run; ends the process with one sentence for a file that is not one. */
export function readResult(file: string): Result {
  try {
    const result = JSON.parse(readFileSync(file, "utf8")) as Result;
    if (Array.isArray(result.loads)) return result;
  } catch (error) {
    fail(`${file} is not the JSON result of a run: ${(error as Error).message}.`);
  }
  fail(`${file} is not the JSON result of a run: it has no loads.`);
}

/** Lays rows out in columns: names to the left, figures to the right. */
export function aligned(rows: Cells): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = ([name = "", ...figures]: readonly string[]) =>
    [name.padEnd(widths[0]!), ...figures.map((cell, column) => cell.padStart(widths[column + 1]!))].join(
      "  ",
    );
  return rows.map(line).join("\n");
}
