import { readFileSync } from "node:fs";
import { type Cells, tablesOf } from "../figures.ts";
import type { Section } from "./report.ts";

const consoleStyle = new URL("../../src/console/design.css", import.meta.url);

/** The variables of the console's style, so that the reports look like it. */
function consoleVariables(): string {
  const variables = /:root\s*\{[^}]*\}/.exec(readFileSync(consoleStyle, "utf8"))?.[0];
  if (variables === undefined) throw new Error("the console's style sheet has no :root block");
  return variables;
}

const style = `
body { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; color: var(--ink); background: var(--ground); }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.25rem; }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1rem; }
p, li { max-width: 46rem; margin: 0.5rem 0; }
ul { padding-left: 1.25rem; }
.soft { color: var(--soft); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.charts svg, .table { border: 1px solid var(--line); border-radius: 6px; }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.35rem 0.75rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--line); }
tr + tr td { border-top: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
pre { max-width: 46rem; white-space: pre-wrap; padding: 1rem; overflow-x: auto; font: 0.9375rem/1.6 ui-monospace, monospace; border: 1px solid var(--accent); border-radius: 6px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** A report as one HTML file that loads nothing from elsewhere. */
export function page(title: string, summary: readonly string[], sections: readonly Section[]): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${consoleVariables()}${style}</style></head>`,
    `<body><h1>${escaped(title)}</h1>`,
    ...summary.map((sentence) => `<p class="soft">${escaped(sentence)}</p>`),
    ...sections.filter(hasContent).map(section),
    "</body></html>\n",
  ].join("\n");
}

function hasContent({ title: _, isOnlyInReport: __, ...parts }: Section): boolean {
  return Object.values(parts).some((part) => part.length > 0);
}

function section({ title, verbatim, notes = [], loads = [], cells, charts = [] }: Section): string {
  return [
    `<section><h2>${escaped(title)}</h2>`,
    verbatim === undefined ? "" : `<pre tabindex="0">${escaped(verbatim)}</pre>`,
    notes.length === 0 ? "" : `<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join("")}</ul>`,
    charts.length === 0 ? "" : `<div class="charts">${charts.join("\n")}</div>`,
    ...[...tablesOf(loads, true)].map(([name, rows]) => `<h3>${escaped(name)}</h3>${table(name, rows)}`),
    cells === undefined ? "" : table(title, cells),
    "</section>",
  ].join("\n");
}

/** A table; it scrolls where it is wider than the page. */
function table(label: string, [head = [], ...rows]: Cells): string {
  const line = (cells: readonly string[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return [
    `<div class="table" role="region" tabindex="0" aria-label="${escaped(label)}"><table>`,
    `<thead>${line(head, "th")}</thead>`,
    `<tbody>${rows.map((cells) => line(cells, "td")).join("\n")}</tbody></table></div>`,
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for HTML and SVG, between tags and within attributes. Control characters are replaced. */
export function escaped(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}
