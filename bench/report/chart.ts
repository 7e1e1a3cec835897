import { figure } from "../figures.ts";
import { escaped } from "./page.ts";

export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: Readonly<Record<string, readonly Point[]>>;
}

/** A quantity with its unit, from 0 on, or logarithmic. */
export interface Axis {
  readonly label: string;
  readonly isLog?: boolean;
}

export type Point = readonly [x: number, y: number];

const [width, height] = [560, 340];
const room = { left: 72, right: 20, top: 30, bottom: 44 } as const;
const legendLine = 17;
const maxTicks = 6;
/** Colours distinct on white; every curve beyond them is dashed. */
const colours = ["#14508c", "#a8480f", "#2f6b2a", "#7a3d74", "#0f6b6b", "#7d5800"];

/** Draws curves as an SVG picture with a description for those who cannot see it. Points that are not numbers are left out. */
export function chart({ title, x, y, series }: Chart): string {
  const curves = Object.entries(series).map(
    ([name, points]) => [name, points.filter((point) => point.every(Number.isFinite))] as const,
  );
  const points = curves.flatMap(([, each]) => each);
  const top = room.top + curves.length * legendLine + 22;
  const [base, end] = [height - room.bottom, width - room.right];
  const [across, upwards] = [0, 1].map((part) => points.map((point) => point[part]!));
  const xs = scaleOf(x, across!, room.left, end);
  const ys = scaleOf(y, upwards!, base, top);
  const parts = [
    ...xs.ticks.map(
      (tick) =>
        `<path class="grid" d="M${xs.at(tick)} ${top}V${base}"/><text x="${xs.at(tick)}" y="${base + 17}" text-anchor="middle">${figure(tick)}</text>`,
    ),
    ...ys.ticks.map(
      (tick) =>
        `<path class="grid" d="M${room.left} ${ys.at(tick)}H${end}"/><text x="${room.left - 8}" y="${ys.at(tick) + 4}" text-anchor="end">${figure(tick)}</text>`,
    ),
    ...curves.map(([name, each], index) => {
      const line = room.top + (index + 1) * legendLine;
      const path = each.map(([at, value]) => `${xs.at(at)},${ys.at(value)}`).join(" ");
      const dash = index < colours.length ? "" : ' stroke-dasharray="6 3"';
      const dots = each
        .map(([at, value]) => `<circle cx="${xs.at(at)}" cy="${ys.at(value)}" r="3"/>`)
        .join("");
      return (
        `<g fill="${colours[index % colours.length]}" stroke="${colours[index % colours.length]}"><polyline class="curve" points="${path}"${dash}/>${dots}` +
        `<path class="curve" d="M${room.left} ${line - 4}h24"${dash}/></g><text x="${room.left + 30}" y="${line}">${escaped(name)}</text>`
      );
    }),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title><desc>${escaped(description(x, y, curves))}</desc>`,
    "<style>text{font:12px system-ui,sans-serif;fill:#52606d}.grid{stroke:#dde4ea}.curve{fill:none;stroke-width:2}</style>",
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${room.left}" y="20" font-weight="600">${escaped(title)}</text>`,
    `<text x="${room.left}" y="${top - 8}">${escaped(y.label)}</text>`,
    `<text x="${end}" y="${height - 6}" text-anchor="end">${escaped(x.label)}</text>`,
    ...parts,
    points.length === 0 ? `<text x="${width / 2}" y="${(top + base) / 2}">nothing was measured</text>` : "",
    "</svg>\n",
  ].join("\n");
}

/** Ticks and places of an axis between two ends in pixels: from 0 to a round number, or over whole decades. */
function scaleOf({ isLog = false }: Axis, values: readonly number[], from: number, to: number) {
  const usable = values.filter((value) => value > 0);
  const highest = usable.reduce((high, value) => Math.max(high, value), 0) || 1;
  const lowest = usable.reduce((low, value) => Math.min(low, value), highest);
  const along = isLog ? (value: number) => Math.log10(Math.max(value, 1e-9)) : (value: number) => value;
  const unit = 10 ** Math.floor(Math.log10(highest / maxTicks));
  const step = unit * [1, 2, 5, 10].find((digit) => highest / (unit * digit) <= maxTicks)!;
  const low = Math.floor(along(lowest));
  const high = Math.max(low + 1, Math.ceil(along(highest)));
  const ticks = isLog
    ? Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index))
    : Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) =>
        Number((index * step).toPrecision(9)),
      );
  const [first, last] = [along(ticks[0]!), along(ticks.at(-1)!)];
  const at = (value: number) => {
    const share = Math.min(1, Math.max(0, (along(value) - first) / (last - first)));
    return Number((from + share * (to - from)).toFixed(1));
  };
  return { ticks, at };
}

/** The curves in words: where each begins, where it ends, and its highest value. */
function description(x: Axis, y: Axis, curves: readonly (readonly [string, readonly Point[]])[]): string {
  const texts = curves.map(([name, points]) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return `${name}: nothing was measured`;
    const [at, highest] = points.reduce((high, point) => (point[1] > high[1] ? point : high));
    return `${name}: from ${figure(first[1])} at ${figure(first[0])} to ${figure(last[1])} at ${figure(last[0])}, at most ${figure(highest)} at ${figure(at)}`;
  });
  return `${y.label} over ${x.label}. ${texts.join("; ")}.`;
}
