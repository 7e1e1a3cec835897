/** Colours of the curves, each readable as text on white and, the second one, on the dark ground. */
const colours = [
  ["#14508c", "#7db8f0"],
  ["#a8480f", "#f0a56b"],
  ["#2f6b2a", "#8fce86"],
  ["#7a3d74", "#d9a0d2"],
  ["#0f6b6b", "#6cc9c9"],
  ["#7d5800", "#dcb84c"],
  ["#a3160f", "#ff9d94"],
  ["#4a525c", "#b6bec8"],
] as const;

const dashes = ["none", "7 3", "2 3", "9 3 2 3", "14 4"] as const;

/** Class of a curve by its number; every colour comes with its own dash, and the pairs repeat after forty. */
export function curveClasses(index: number): string {
  return `c${index % colours.length} d${(index + Math.floor(index / (colours.length * dashes.length))) % dashes.length}`;
}

const rules = (shade: 0 | 1) =>
  colours.map((pair, index) => `.chart .c${index}{--curve:${pair[shade]}}`).join("");

/** The style of a chart: it is in the picture itself, so that the picture is whole as a file and within a page. */
export const chartStyle = [
  ".chart{--ink:#1b2733;--soft:#52606d;--ground:#fff;--line:#dde4ea;font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums}",
  rules(0),
  "@media (prefers-color-scheme:dark){",
  ".chart{--ink:#e6edf3;--soft:#a3b1bf;--ground:#12181f;--line:#2b3640}",
  rules(1),
  "}",
  ".chart text{fill:var(--soft)}.chart .head{font-size:15px;font-weight:600;fill:var(--ink)}",
  ".chart .ground{fill:var(--ground)}.chart .grid{stroke:var(--line)}.chart .base{stroke:var(--soft)}",
  ".chart .curve{fill:none;stroke:var(--curve);stroke-width:2;stroke-linejoin:round}.chart .spread{stroke:var(--curve);opacity:.5}",
  ".chart .mark{fill:var(--curve)}.chart text.value{fill:var(--curve);stroke:var(--ground);stroke-width:3;paint-order:stroke}.chart text.legend{fill:var(--ink)}",
  ...dashes.map((dash, index) => `.chart .d${index} .curve{stroke-dasharray:${dash}}`),
].join("");
