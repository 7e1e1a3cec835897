import { type Axis, type Scale, scaleOf } from "./axis.ts";
import { chartStyle, curveClasses } from "./chart-style.ts";
import { escaped } from "./markup.ts";
import { figure } from "./statistics.ts";

/** One point of a curve, with the lowest and highest measured value where it is a median. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** One curve of a chart. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly ChartSeries[];
  /** Whether every value is written at its point; for few curves that lie apart. */
  readonly withValues?: boolean;
  /** Whether it is in a row of three, with letters as large as those of a wide one. */
  readonly isNarrow?: boolean;
}

const sizes = { wide: { width: 720, height: 380 }, narrow: { width: 460, height: 320 } } as const;
const room = { left: 84, right: 24, top: 34, bottom: 50 } as const;
const legendLine = 18;
const swatch = 26;
/** Mean width of a letter of the legend, generously. */
const letter = 6.8;
const valueWidth = 52;

/**
 * Draws curves as an SVG picture with a title, a description for those who cannot see it, and colours for a light and
 * a dark ground. Points that are not numbers are left out; a chart without any says so.
 */
export function chart({ title, x, y, series, withValues = false, isNarrow = false }: Chart): string {
  const { width, height } = sizes[isNarrow ? "narrow" : "wide"];
  const end = width - room.right;
  const curves = series.map(({ name, points }) => ({
    name,
    points: points.filter((point) => Number.isFinite(point.x) && Number.isFinite(point.y)),
  }));
  const points = curves.flatMap((curve) => curve.points);
  const places = legendPlaces(
    curves.map(({ name }) => name),
    end,
  );
  const top = room.top + (places.lines + 1) * legendLine + 8;
  const base = height - room.bottom;
  const xs = scaleOf(
    x,
    points.map((point) => point.x),
  );
  const ys = scaleOf(
    y,
    points.flatMap((point) => [point.y, point.high ?? point.y]),
  );
  const frame: Frame = {
    end,
    x: (value) => room.left + (end - room.left) * xs.at(value),
    y: (value) => base - (base - top) * ys.at(value),
    top,
    base,
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description(x, y, curves))}</desc>`,
    `<style>${chartStyle}</style>`,
    `<rect class="ground" width="100%" height="100%"/>`,
    `<text class="head" x="${room.left}" y="22">${escaped(title)}</text>`,
    `<text x="${room.left}" y="${top - 12}">${escaped(y.label)}</text>`,
    `<text x="${end}" y="${base + 40}" text-anchor="end">${escaped(x.label)}</text>`,
    ...marksOf(frame, xs, ys),
    ...curves.map((curve, index) => drawn(curve, index, frame, places.at[index]!)),
    ...(withValues ? valuesOf(curves, frame) : []),
    ...(points.length > 0
      ? []
      : [`<text x="${width / 2}" y="${(top + base) / 2}" text-anchor="middle">nothing was measured</text>`]),
    "</svg>\n",
  ].join("\n");
}

interface Frame {
  x(value: number): number;
  y(value: number): number;
  readonly end: number;
  readonly top: number;
  readonly base: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const px = (value: number) => value.toFixed(1);

/** The positions of the legend's entries, in as many lines as they need. */
function legendPlaces(
  names: readonly string[],
  end: number,
): { readonly lines: number; readonly at: readonly Place[] } {
  let line = 0;
  let x: number = room.left;
  const at = names.map((name) => {
    const entry = swatch + 8 + name.length * letter + 16;
    if (x > room.left && x + entry > end) {
      line++;
      x = room.left;
    }
    const place = { x, y: room.top + 8 + line * legendLine };
    x += entry;
    return place;
  });
  return { lines: line + 1, at };
}

function marksOf(frame: Frame, xs: Scale, ys: Scale): string[] {
  const { top, base, end } = frame;
  const across = ys.ticks.map((tick, index) => {
    const at = px(frame.y(tick));
    const line = `<line class="${index === 0 ? "base" : "grid"}" x1="${room.left}" y1="${at}" x2="${end}" y2="${at}"/>`;
    return `${line}<text x="${room.left - 8}" y="${px(frame.y(tick) + 4)}" text-anchor="end">${figure(tick)}</text>`;
  });
  const up = xs.ticks.map((tick) => {
    const at = px(frame.x(tick));
    const line = `<line class="grid" x1="${at}" y1="${px(top)}" x2="${at}" y2="${base}"/>`;
    return `${line}<text x="${at}" y="${base + 18}" text-anchor="middle">${figure(tick)}</text>`;
  });
  return [...up, ...across];
}

function drawn({ name, points }: ChartSeries, index: number, { x, y }: Frame, place: Place): string {
  const path = points.map((point) => `${px(x(point.x))},${px(y(point.y))}`).join(" ");
  const marks = points.map((point) => {
    const at = px(x(point.x));
    const spread =
      point.low === undefined || point.high === undefined
        ? ""
        : `<line class="spread" x1="${at}" y1="${px(y(point.low))}" x2="${at}" y2="${px(y(point.high))}"/>`;
    return `${spread}<circle class="mark" cx="${at}" cy="${px(y(point.y))}" r="3"/>`;
  });
  const middle = place.y - 4;
  const key =
    `<line class="curve" x1="${px(place.x)}" y1="${middle}" x2="${px(place.x + swatch)}" y2="${middle}"/>` +
    `<circle class="mark" cx="${px(place.x + swatch / 2)}" cy="${middle}" r="3"/>` +
    `<text class="legend" x="${px(place.x + swatch + 6)}" y="${place.y}">${escaped(name)}</text>`;
  return `<g class="${curveClasses(index)}"><polyline class="curve" points="${path}"/>${marks.join("")}${key}</g>`;
}

/** The values at their points; one that would cover another is left out. */
function valuesOf(series: readonly ChartSeries[], frame: Frame): string[] {
  const taken: Place[] = [];
  return series.flatMap(({ points }, index) =>
    points.flatMap((point) => {
      const place = { x: frame.x(point.x), y: Math.max(frame.top - 2, frame.y(point.y) - 9) };
      const isCovered = taken.some(
        ({ x, y }) => Math.abs(x - place.x) < valueWidth && Math.abs(y - place.y) < legendLine,
      );
      if (isCovered) return [];
      taken.push(place);
      const at = `x="${px(place.x)}" y="${px(place.y)}" text-anchor="middle"`;
      return [`<g class="${curveClasses(index)}"><text class="value" ${at}>${figure(point.y)}</text></g>`];
    }),
  );
}

/** The curves in words: where each begins, where it ends, and the most it reaches. */
function description(x: Axis, y: Axis, series: readonly ChartSeries[]): string {
  const texts = series.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return `${name}: nothing was measured`;
    const most = points.reduce((high, point) => (point.y > high.y ? point : high));
    return `${name}: from ${figure(first.y)} at ${figure(first.x)} to ${figure(last.y)} at ${figure(last.x)}, at most ${figure(most.y)} at ${figure(most.x)}`;
  });
  return `${y.label} over ${x.label}. ${texts.join("; ")}.`;
}
