import { readFileSync, writeFileSync } from "node:fs";
import { productVersion } from "../../src/settings.ts";
import { fail, print } from "../command.ts";
import { type Cells, type LoadFigures, tablesOf } from "../figures.ts";
import { type Machine, machineLine } from "./machine.ts";
import { page } from "./page.ts";

/** A part of a report; what it lacks is left out. */
export interface Section {
  readonly title: string;
  /** Text to be copied unchanged. */
  readonly verbatim?: string;
  readonly notes?: readonly string[];
  readonly loads?: readonly LoadFigures[];
  /** A table of its own. */
  readonly cells?: Cells;
  /** SVG pictures. */
  readonly charts?: readonly string[];
  /** Not printed. */
  readonly isOnlyInReport?: boolean;
}

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
export function thisService(edition: string | null): Result["service"] {
  return { version: productVersion, edition };
}

function printSections(sections: readonly Section[]): void {
  for (const { title, verbatim, notes = [], loads = [], cells, isOnlyInReport } of sections) {
    if (isOnlyInReport) continue;
    for (const [load, table] of tablesOf(loads, false)) print(`${load}\n${aligned(table)}\n`);
    if (cells !== undefined) print(`${title}\n${aligned(cells)}\n`);
    for (const note of notes) print(`- ${note}`);
    if (verbatim !== undefined) print(`\n${verbatim}\n`);
  }
}

/** Prints the report as text, and writes it as one HTML file with the result as JSON beside it. */
export function writeReport(
  file: string,
  subject: string,
  result: Omit<Result, "at">,
  sections: readonly Section[],
): void {
  printSections(sections);
  const { machine, ended } = result;
  const at = new Date().toISOString();
  const title = `bankcheck: ${subject}`;
  const summary = `${at.slice(0, 10)}; ${machineLine(machine)}.`;
  writeFileSync(file, page(title, ended === null ? [summary] : [summary, ended], sections));
  writeFileSync(resultFile(file), `${JSON.stringify({ ...result, at }, null, 2)}\n`);
  print(`The report is ${file}, the figures are ${resultFile(file)}.`);
}

/** The JSON file beside a report. */
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

/** Lays rows out in columns: texts to the left, figures to the right. */
export function aligned(rows: Cells): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isText = widths.map(
    (_, column) => column === 0 || rows.slice(1).some((row) => /^[a-z]/i.test(row[column]!)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isText[column] ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join("  "),
    )
    .join("\n");
}
