import { element, figure } from "../element.ts";
import { filled, type Numbers, type PoolWords, type Unit } from "../words.ts";
import { type Chart, drawnValues, type Line } from "./charts.ts";
import type { Moment } from "./diagnosis.ts";
import type { Mark } from "./history.ts";

const height = 170;
const font = "12px system-ui, sans-serif";
/** Room for the axes and the ends of their labels around the drawing itself, in pixels. */
const room = { left: 68, right: 16, top: 8, bottom: 28 } as const;
const headroom = 1.1;
const dash = [6, 4];

/** Minimum time that the charts show; they grow with the data. */
const minSeconds = 60;
const timeSteps = [10, 15, 30, 60, 120, 300, 600, 900] as const;
const minTimeLabelWidth = 72;
const minValueLabelHeight = 34;

/** Colours of the marks by what they say. */
export const markColours: Readonly<Record<Mark["kind"], string>> = {
  started: "ink",
  workerReplaced: "wrong",
  dataLoaded: "second",
  dataRefused: "wrong",
  refusals: "warning",
};

const thresholdLine = { colour: "warning", isDashed: true } as const;

/** All charts on the page: all show the values of the moment that is pointed at in one. */
const onPage = new Set<PlottedChart>();

/** One chart on the page: its title, its values as text, and the drawing, which follows the width it is given. */
export class PlottedChart {
  readonly element: HTMLElement;
  readonly #chart: Chart;
  readonly #numbers: Numbers;
  readonly #drawing = element("div", "drawing");
  readonly #canvas = element("canvas", "");
  readonly #values: readonly HTMLElement[];
  readonly #time = element("span", "time");
  readonly #resized: ResizeObserver;
  #colours = new Map<string, string>();
  #moments: readonly Moment[] = [];
  #marks: readonly Mark[] = [];
  #seconds = minSeconds;
  /** Seconds since 1970; undefined while nothing is pointed at. */
  #pointedAt: number | undefined;

  constructor(chart: Chart, numbers: Numbers, words: PoolWords) {
    this.#chart = chart;
    this.#numbers = numbers;
    this.#drawing.role = "img";
    this.#drawing.ariaLabel = filled(words.chart, { title: chart.title });
    this.#drawing.append(this.#canvas);
    this.#values = chart.lines.map(() => element("dd", ""));
    const lines = chart.lines.map((line, index) =>
      figure(element("dt", "", swatch(line), line.name), this.#values[index]!),
    );
    const legend = element("dl", "legend", ...lines);
    if (chart.threshold !== undefined) {
      const limit = numbers.value(chart.threshold, chart.unit);
      legend.append(figure(element("dt", "", swatch(thresholdLine), words.limit), limit));
    }
    const title = element("h2", "", chart.title, this.#time);
    this.element = element("section", "chart", title, legend, this.#drawing);
    this.#canvas.addEventListener("pointermove", ({ offsetX }) => this.#pointAt(offsetX));
    this.#canvas.addEventListener("pointerleave", () => point(undefined));
    this.#resized = new ResizeObserver(() => this.#draw());
    this.#resized.observe(this.#drawing);
    onPage.add(this);
  }

  /** Shows the last `seconds` of these moments, the newest at the right edge, and what happened in them. */
  show(moments: readonly Moment[], marks: readonly Mark[], seconds: number): void {
    this.#moments = moments;
    this.#marks = marks;
    this.#seconds = seconds;
    this.#writeValues();
    this.#draw();
  }

  /** Draws from now on in the colours that hold at present. */
  recolour(): void {
    this.#colours.clear();
    this.#draw();
  }

  close(): void {
    this.#resized.disconnect();
    onPage.delete(this);
  }

  /** Shows the values of a moment, or the newest ones. */
  point(at: number | undefined): void {
    this.#pointedAt = at;
    this.#writeValues();
    this.#draw();
  }

  #pointAt(offset: number): void {
    const { from, to } = this.#window;
    const share = (offset - room.left) / (this.#canvas.clientWidth - room.left - room.right);
    const wanted = from + share * (to - from);
    const near = this.#moments.reduce<number | undefined>(
      (best, { at }) => (best === undefined || Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best),
      undefined,
    );
    point(near);
  }

  /** Writes the values of the moment that is pointed at, otherwise the newest ones. */
  #writeValues(): void {
    const pointed = this.#moments.find(({ at }) => at === this.#pointedAt);
    const moment = pointed ?? this.#moments.at(-1);
    this.#time.textContent = pointed === undefined ? "" : this.#numbers.time(pointed.at);
    for (const [index, line] of this.#chart.lines.entries()) {
      const value = moment?.rates && line.value(moment.rates);
      this.#values[index]!.textContent = this.#numbers.value(value, this.#chart.unit);
    }
  }

  get #window(): { readonly from: number; readonly to: number } {
    const to = this.#moments.at(-1)?.at ?? Date.now() / 1_000;
    const began = this.#moments[0]?.at ?? to;
    return { from: to - Math.min(this.#seconds, Math.max(minSeconds, to - began)), to };
  }

  #draw(): void {
    const width = this.#drawing.clientWidth;
    if (width === 0) return;
    const scale = devicePixelRatio;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    const context = this.#canvas.getContext("2d")!;
    context.scale(scale, scale);
    context.translate(room.left, room.top);
    context.font = font;
    const { from, to } = this.#window;
    const shown = this.#moments.filter(({ at }) => at >= from);
    const lines = this.#chart.lines.map((line) => ({ line, values: drawnValues(line, shown) }));
    const { unit, minTop, threshold } = this.#chart;
    const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
    const top = unit === "share" ? 1 : Math.max(minTop, highest * headroom);
    const [right, bottom] = [width - room.left - room.right, height - room.top - room.bottom];
    const plane: Plane = {
      context,
      right,
      bottom,
      x: (at) => ((at - from) / (to - from)) * right,
      y: (value) => bottom - (value / top) * bottom,
      colour: (name) => this.#colourOf(name),
    };
    this.#drawTimes(plane, from, to);
    this.#drawValues(plane, top);
    if (threshold !== undefined && threshold <= top)
      stroke(plane, "line-warning", [0, plane.y(threshold)], [right, plane.y(threshold)], dash);
    for (const { at, kind } of this.#marks) {
      const x = Math.round(plane.x(at));
      if (x >= 0) stroke(plane, `line-${markColours[kind]}`, [x, 0], [x, bottom], [2, 3]);
    }
    for (const { line, values } of lines) drawLine(plane, line, shown, values);
    if (this.#pointedAt === undefined || this.#pointedAt < from) return;
    const x = Math.round(plane.x(this.#pointedAt));
    stroke(plane, "soft", [x, 0], [x, bottom]);
  }

  #drawTimes(plane: Plane, from: number, to: number): void {
    const { context, right, bottom } = plane;
    const maxLabels = Math.max(1, right / minTimeLabelWidth);
    const step = timeSteps.find((seconds) => (to - from) / seconds <= maxLabels) ?? timeSteps.at(-1)!;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const x = Math.round(plane.x(at));
      stroke(plane, "line", [x, 0], [x, bottom + 4]);
      context.fillStyle = plane.colour("soft");
      const text = this.#numbers.time(at, step % 60 > 0);
      // A label that would be cut at the edge is left out.
      const isWhole = x + context.measureText(text).width / 2 <= right + room.right;
      if (isWhole) context.fillText(text, x, bottom + 9);
    }
  }

  #drawValues(plane: Plane, highest: number): void {
    const { context, right, bottom } = plane;
    const { unit } = this.#chart;
    const step = valueStep(highest, unit, bottom / minValueLabelHeight);
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let value = 0; value <= highest * 1.000_1; value += step) {
      const y = Math.round(plane.y(value));
      stroke(plane, "line", [-4, y], [right, y]);
      context.fillStyle = plane.colour("soft");
      context.fillText(this.#numbers.value(value, unit), -9, y);
    }
  }

  /** The colour of a custom property at present, never a forced one, as in the legend; a canvas knows no custom properties. */
  #colourOf(name: string): string {
    const known = this.#colours.get(name);
    if (known !== undefined) return known;
    const probe = element("span", "");
    probe.style.cssText = `color: var(--${name}); forced-color-adjust: none`;
    this.#drawing.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    this.#colours.set(name, color);
    return color;
  }
}

/** The part of the canvas inside the axes, from 0 to `right` and `bottom`. */
interface Plane {
  readonly context: CanvasRenderingContext2D;
  readonly right: number;
  readonly bottom: number;
  x(at: number): number;
  y(value: number): number;
  colour(name: string): string;
}

type Point = readonly [x: number, y: number];

function point(at: number | undefined): void {
  for (const chart of onPage) chart.point(at);
}

function stroke(
  plane: Plane,
  colour: string,
  [x, y]: Point,
  [toX, toY]: Point,
  dashes: readonly number[] = [],
): void {
  const { context } = plane;
  context.strokeStyle = plane.colour(colour);
  context.lineWidth = 1;
  context.setLineDash([...dashes]);
  context.beginPath();
  context.moveTo(x + 0.5, y + 0.5);
  context.lineTo(toX + 0.5, toY + 0.5);
  context.stroke();
}

/** A line that is interrupted where there is no value; a single value is a point. */
function drawLine(
  plane: Plane,
  { colour, isDashed }: Line,
  moments: readonly Moment[],
  values: readonly (number | null)[],
): void {
  const { context } = plane;
  context.strokeStyle = context.fillStyle = plane.colour(`line-${colour}`);
  context.lineWidth = 1.75;
  context.lineJoin = "round";
  context.setLineDash(isDashed ? dash : []);
  context.beginPath();
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const [x, y] = [plane.x(moments[index]!.at), plane.y(value)];
    const isJoined = (values[index - 1] ?? null) !== null;
    if (isJoined) context.lineTo(x, y);
    else if ((values[index + 1] ?? null) !== null) context.moveTo(x, y);
    else context.fillRect(x - 2, y - 2, 4, 4);
  }
  context.stroke();
}

/** A round step of an axis with room for this many labels; a count has no halves. */
function valueStep(highest: number, unit: Unit, maxLabels: number): number {
  const raw = highest / Math.max(1, maxLabels);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  return unit === "requests" ? Math.max(1, Math.ceil(step)) : step;
}

function swatch({ colour, isDashed }: Pick<Line, "colour" | "isDashed">): HTMLElement {
  const sample = element("span", "swatch");
  sample.style.borderTopStyle = isDashed ? "dashed" : "solid";
  sample.style.borderTopColor = `var(--line-${colour})`;
  return sample;
}
