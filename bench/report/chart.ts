import { figure } from "./statistics.ts";

/** One point of a curve; `label` stands under it. */
export interface ChartPoint {
  readonly label: string;
  readonly value: number;
}

/** One curve of a chart. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

const size = { width: 720, height: 360, left: 90, right: 20, top: 50, bottom: 60 } as const;
const colours = ["#14507f", "#c2541b", "#3d7a37", "#7a3d74"];

/**
 * Draws curves over a common row of labels as an SVG picture: linear scale from 0, one colour a curve, every value
 * written at its point.
 */
export function chart(title: string, unit: string, series: readonly ChartSeries[]): string {
  const labels = series[0]?.points.map(({ label }) => label) ?? [];
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ value }) => value)));
  const plotWidth = size.width - size.left - size.right;
  const plotHeight = size.height - size.top - size.bottom;
  const x = (index: number) => size.left + (plotWidth * (index + 0.5)) / labels.length;
  const y = (value: number) => size.top + plotHeight * (1 - value / most);
  const curves = series.map(({ name, points }, number) => {
    const colour = colours[number % colours.length]!;
    const path = points.map(({ value }, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const marks = points.map(
      ({ value }, index) =>
        `<circle cx="${x(index).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3.5" fill="${colour}"/>` +
        `<text x="${x(index).toFixed(1)}" y="${(y(value) - 9).toFixed(1)}" text-anchor="middle" fill="${colour}">${figure(value)}</text>`,
    );
    const legend = `<text x="${size.left + 200 * number}" y="40" fill="${colour}">■ ${escaped(name)}</text>`;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${marks.join("")}${legend}`;
  });
  const axis = labels.map(
    (label, index) =>
      `<text x="${x(index).toFixed(1)}" y="${size.height - size.bottom + 22}" text-anchor="middle">${escaped(label)}</text>`,
  );
  const base = size.height - size.bottom;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${size.left}" y="20" font-size="15" font-weight="bold">${escaped(title)}</text>`,
    `<line x1="${size.left}" y1="${base}" x2="${size.width - size.right}" y2="${base}" stroke="#888"/>`,
    `<text x="${size.left - 8}" y="${base + 4}" text-anchor="end">0</text>`,
    `<text x="${size.left - 8}" y="${size.top + 4}" text-anchor="end">${figure(most)}</text>`,
    `<text x="${size.left - 8}" y="${size.top + 20}" text-anchor="end">${escaped(unit)}</text>`,
    ...axis,
    ...curves,
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
