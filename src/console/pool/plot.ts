import { drawn, element, figure } from "../element.ts";
import { filled, quantity, timeOf, type Unit, poolTexts as words } from "../words.ts";
import { type Chart, drawnValues, type Line } from "./charts.ts";
import type { Mark } from "./history.ts";
import type { Moment } from "./rates.ts";

const height = 170;
/** Room for the axes and the ends of their labels around the drawing itself, in pixels. */
const room = { left: 80, right: 16, top: 8, bottom: 28 } as const;
const bottom = height - room.top - room.bottom;
const headroom = 1.1;

/** Minimum time that the charts show; they grow with the data. */
const minSeconds = 60;
const timeSteps = [10, 15, 30, 60, 120, 300, 600, 900] as const;
const minTimeLabelWidth = 72;
const minValueLabelHeight = 34;
/** Half of the widest label of a time. */
const halfLabel = 30;

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
  readonly #svg = drawn("svg", {});
  readonly #drawing = element("div", "drawing", this.#svg);
  readonly #values: readonly HTMLElement[];
  readonly #time = element("span", "time");
  readonly #resized: ResizeObserver;
  #moments: readonly Moment[] = [];
  #marks: readonly Mark[] = [];
  #seconds = minSeconds;
  /** Seconds since 1970; undefined while nothing is pointed at. */
  #pointedAt: number | undefined;

  constructor(chart: Chart) {
    this.#chart = chart;
    this.#drawing.role = "img";
    this.#drawing.ariaLabel = filled(words.chart, { title: chart.title });
    this.#values = chart.lines.map(() => element("dd", ""));
    const lines = chart.lines.map((line, index) =>
      figure(element("dt", "", swatch(line), line.name), this.#values[index]!),
    );
    const legend = element("dl", "legend", ...lines);
    if (chart.threshold !== undefined) {
      const limit = quantity(chart.threshold, chart.unit);
      legend.append(figure(element("dt", "", swatch(thresholdLine), words.limit), limit));
    }
    const title = element("h2", "", chart.title, this.#time);
    this.element = element("section", "chart", title, legend, this.#drawing);
    this.#drawing.onpointermove = ({ clientX }) => this.#pointAt(clientX);
    this.#drawing.onpointerleave = () => point(undefined);
    this.#resized = new ResizeObserver(() => this.#draw());
    this.#resized.observe(this.#drawing);
    onPage.add(this);
  }

  /** Shows the last `seconds` of these moments, the newest at the right edge, and what happened in them. */
  show(moments: readonly Moment[], marks: readonly Mark[], seconds: number): void {
    this.#moments = moments;
    this.#marks = marks;
    this.#seconds = seconds;
    this.point(this.#pointedAt);
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

  #pointAt(clientX: number): void {
    const { from, to } = this.#window;
    const { left, width } = this.#drawing.getBoundingClientRect();
    const wanted = from + ((clientX - left - room.left) / (width - room.left - room.right)) * (to - from);
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
    this.#time.textContent = pointed === undefined ? "" : timeOf(pointed.at);
    for (const [index, line] of this.#chart.lines.entries()) {
      const value = moment?.rates && line.value(moment.rates);
      this.#values[index]!.textContent = quantity(value, this.#chart.unit);
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
    const { from, to } = this.#window;
    const shown = this.#moments.filter(({ at }) => at >= from);
    const lines = this.#chart.lines.map((line) => ({ line, values: drawnValues(line, shown) }));
    const { unit, minTop, threshold } = this.#chart;
    const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
    const top = unit === "share" ? 1 : Math.max(minTop, highest * headroom);
    const right = width - room.left - room.right;
    const x = (at: number) => Math.round(((at - from) / (to - from)) * right * 10) / 10;
    const y = (value: number) => Math.round((bottom - (value / top) * bottom) * 10) / 10;
    const upright = (at: number, colour: string, dashes = "") =>
      stroke(`M${x(at)} 0V${bottom}`, `--${colour}`, dashes);
    const level = (value: number, colour: string, dashes = "") =>
      stroke(`M-4 ${y(value)}H${right}`, `--${colour}`, dashes);
    const times = timesBetween(from, to, right);
    const hasSeconds = times.some((at) => at % 60 > 0);
    const marks = this.#marks.filter(({ at }) => at >= from);
    const isPointed = this.#pointedAt !== undefined && this.#pointedAt >= from;
    this.#svg.setAttribute("viewBox", `${-room.left} ${-room.top} ${width} ${height}`);
    this.#svg.replaceChildren(
      ...times.map((at) => upright(at, "line")),
      // A label that would be cut at the edge is left out.
      ...times
        .filter((at) => x(at) + halfLabel <= right + room.right)
        .map((at) => text(x(at), bottom + 18, "middle", timeOf(at, hasSeconds))),
      ...valuesUpTo(top, unit).flatMap((value) => [
        level(value, "line"),
        text(-9, y(value) + 4, "end", quantity(value, unit)),
      ]),
      ...(threshold !== undefined && threshold <= top ? [level(threshold, "warning", "6 4")] : []),
      ...marks.map(({ at, kind }) => upright(at, `${markColours[kind]}`, "2 3")),
      ...lines.map(({ line: { colour, isDashed }, values }) =>
        stroke(pathOf(values, shown, x, y), `--${colour}`, isDashed ? "6 4" : "", "line"),
      ),
      ...(isPointed ? [upright(this.#pointedAt!, "soft")] : []),
    );
  }
}

function point(at: number | undefined): void {
  for (const chart of onPage) chart.point(at);
}

function stroke(d: string, colour: string, dashes: string, name = ""): SVGElement {
  return drawn("path", { d, stroke: `var(${colour})`, "stroke-dasharray": dashes, class: name });
}

function text(x: number, y: number, anchor: string, written: string): SVGElement {
  return drawn("text", { x, y, "text-anchor": anchor }, written);
}

/** A line that is interrupted where there is no value; a single value is a point. */
function pathOf(
  values: readonly (number | null)[],
  moments: readonly Moment[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const steps = values.map((value, index) => {
    if (value === null) return "";
    const place = `${x(moments[index]!.at)} ${y(value)}`;
    return (values[index - 1] ?? null) === null ? `M${place}h0` : `L${place}`;
  });
  return steps.join("");
}

/** The moments whose labels have room. */
function timesBetween(from: number, to: number, width: number): readonly number[] {
  const maxLabels = Math.max(1, width / minTimeLabelWidth);
  const step = timeSteps.find((seconds) => (to - from) / seconds <= maxLabels) ?? timeSteps.at(-1)!;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Round values of an axis whose labels have room; a count has no halves. */
function valuesUpTo(highest: number, unit: Unit): readonly number[] {
  const raw = highest / Math.max(1, bottom / minValueLabelHeight);
  const power = 10 ** Math.floor(Math.log10(raw));
  const round = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const step = unit === "requests" ? Math.max(1, Math.ceil(round)) : round;
  return Array.from({ length: Math.floor((highest * 1.000_1) / step) + 1 }, (_, index) => index * step);
}

function swatch({ colour, isDashed }: Pick<Line, "colour" | "isDashed">): HTMLElement {
  const sample = element("span", "swatch");
  sample.style.borderTopStyle = isDashed ? "dashed" : "solid";
  sample.style.borderTopColor = `var(--${colour})`;
  return sample;
}
