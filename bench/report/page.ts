import { readFileSync } from "node:fs";
import { type Cells, type LoadFigures, tablesOf } from "../figures.ts";

/** A part of a report; what it lacks is left out. */
export interface Section {
  readonly title: string;
  /** Text to be copied unchanged. */
  readonly verbatim?: string;
  readonly notes?: readonly string[];
  readonly loads?: readonly LoadFigures[];
  readonly charts?: readonly string[];
}

/** The reports look like the console: its style, and what only they have. */
const style = `${readFileSync(new URL("../../src/console/design.css", import.meta.url), "utf8")}
section { margin-top: var(--gap-section); }
h3, ul, p, .scrolled { margin: var(--gap) 0; }
li, p, pre { max-width: 46rem; }
pre { white-space: pre-wrap; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: var(--gap-wide); }
th, td { white-space: nowrap; }
:is(th, td):not(:first-child) { text-align: end; }
`;

/** A report as one HTML file that loads nothing from elsewhere. */
export function page(title: string, summary: readonly string[], sections: readonly Section[]): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style></head>`,
    `<body><h1>${escaped(title)}</h1>`,
    ...summary.map((sentence) => `<p class="hint">${escaped(sentence)}</p>`),
    ...sections.filter(hasContent).map(section),
    "</body></html>\n",
  ].join("\n");
}

function hasContent({ title: _, ...parts }: Section): boolean {
  return Object.values(parts).some((part) => part.length > 0);
}

function section({ title, verbatim, notes = [], loads = [], charts = [] }: Section): string {
  return [
    `<section><h2>${escaped(title)}</h2>`,
    verbatim === undefined ? "" : `<pre tabindex="0">${escaped(verbatim)}</pre>`,
    notes.length === 0 ? "" : `<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join("")}</ul>`,
    charts.length === 0 ? "" : `<div class="charts">${charts.join("\n")}</div>`,
    ...[...tablesOf(loads, true)].map(([name, rows]) => `<h3>${escaped(name)}</h3>${table(name, rows)}`),
    "</section>",
  ].join("\n");
}

/** A table; it scrolls where it is wider than the page. */
function table(label: string, [head = [], ...rows]: Cells): string {
  const line = (cells: readonly string[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return [
    `<div class="scrolled" role="region" tabindex="0" aria-label="${escaped(label)}"><table>`,
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
