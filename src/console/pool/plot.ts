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

export const markColours: Readonly<Record<Mark["kind"], string>> = {
  started: "ink",
  workerReplaced: "wrong",
  dataLoaded: "second",
  dataRefused: "wrong",
  refusals: "warning",
};

const thresholdLine = { colour: "warning", isDashed: true } as const;

/** What all charts show: the last `seconds` of these moments, the newest at the right edge, and what happened in them. */
interface Shown {
  readonly moments: readonly Moment[];
  readonly marks: readonly Mark[];
  readonly seconds: number;
}

function windowOf({ moments, seconds }: Shown) {
  const to = moments.at(-1)?.at ?? Date.now() / 1_000;
  const began = moments[0]?.at ?? to;
  return { from: to - Math.min(seconds, Math.max(minSeconds, to - began)), to };
}

/**
 * Creates the place for the charts of the page, which follow the width they are given; all show the values of the moment that
 * is pointed at in one.
 */
export function plots() {
  const place = element("div", "charts");
  let plotted: readonly ReturnType<typeof plot>[] = [];
  let shown: Shown = { moments: [], marks: [], seconds: minSeconds };
  /** Seconds since 1970; undefined while nothing is pointed at. */
  let pointedAt: number | undefined;
  const draw = () => {
    for (const one of plotted) one.draw(shown, pointedAt);
  };
  const resized = new ResizeObserver(draw);
  const point = (at: number | undefined) => {
    pointedAt = at;
    draw();
  };
  return {
    element: place,
    make: (charts: readonly Chart[]) => {
      resized.disconnect();
      plotted = charts.map(plot);
      place.replaceChildren(...plotted.map((one) => one.element));
      for (const { drawing } of plotted) {
        drawing.onpointermove = ({ clientX }) => point(momentAt(clientX, drawing, shown));
        drawing.onpointerleave = () => point(undefined);
        resized.observe(drawing);
      }
      pointedAt = undefined;
    },
    show: (now: Shown) => {
      shown = now;
      draw();
    },
  };
}

/** The time of the moment that is drawn nearest to a place on the screen. */
function momentAt(clientX: number, drawing: HTMLElement, shown: Shown): number | undefined {
  const { from, to } = windowOf(shown);
  const { left, width } = drawing.getBoundingClientRect();
  const wanted = from + ((clientX - left - room.left) / (width - room.left - room.right)) * (to - from);
  const times = shown.moments.map(({ at }) => at);
  const distance = Math.min(...times.map((at) => Math.abs(at - wanted)));
  return times.find((at) => Math.abs(at - wanted) === distance);
}

function plot(chart: Chart) {
  const { unit, minTop = 1, threshold } = chart;
  const svg = drawn("svg", {});
  const ariaLabel = filled(words.chart, { title: chart.title });
  const drawing = element("div", { className: "drawing", role: "img", ariaLabel }, svg);
  const time = element("span", "time");
  const legend = element("dl", "legend");
  const lines = chart.lines.map((line) => {
    const value = element("dd", "");
    legend.append(figure(element("dt", "", swatch(line), line.name), value));
    return { line, value };
  });
  if (threshold !== undefined)
    legend.append(figure(element("dt", "", swatch(thresholdLine), words.limit), quantity(threshold, unit)));

  /** Writes the values of the moment that is pointed at, otherwise the newest ones, and draws the lines. */
  const draw = (shown: Shown, pointedAt: number | undefined) => {
    const { from, to } = windowOf(shown);
    const moments = shown.moments.filter(({ at }) => at >= from);
    const pointed = moments.find(({ at }) => at === pointedAt);
    const { rates } = pointed ?? moments.at(-1) ?? {};
    time.textContent = pointed === undefined ? "" : timeOf(pointed.at);
    for (const { line, value } of lines) value.textContent = quantity(rates?.[line.measure], unit);
    const width = drawing.clientWidth;
    if (width === 0) return;
    const drawnLines = lines.map(({ line }) => ({ line, values: drawnValues(line, moments) }));
    const highest = Math.max(0, ...drawnLines.flatMap(({ values }) => values.map((value) => value ?? 0)));
    const top = unit === "share" ? 1 : Math.max(minTop, highest * headroom);
    const right = width - room.left - room.right;
    const x = (at: number) => Math.round(((at - from) / (to - from)) * right * 10) / 10;
    const y = (value: number) => Math.round((bottom - (value / top) * bottom) * 10) / 10;
    /** A line that is interrupted where there is no value; a single value is a point. */
    const pathOf = (values: readonly (number | null)[]) => {
      const steps = values.map((value, index) => {
        if (value === null) return "";
        const place = `${x(moments[index]!.at)} ${y(value)}`;
        return (values[index - 1] ?? null) === null ? `M${place}h0` : `L${place}`;
      });
      return steps.join("");
    };
    const upright = (at: number) => `M${x(at)} 0V${bottom}`;
    const level = (value: number) => `M-4 ${y(value)}H${right}`;
    const times = timesBetween(from, to, right);
    const hasSeconds = times.some((at) => at % 60 > 0);
    const marks = shown.marks.filter(({ at }) => at >= from);
    svg.setAttribute("viewBox", `${-room.left} ${-room.top} ${width} ${height}`);
    svg.replaceChildren(
      ...times.map((at) => stroke(upright(at), "line")),
      // A label that would be cut at the edge is left out.
      ...times
        .filter((at) => x(at) + halfLabel <= right + room.right)
        .map((at) => text(x(at), bottom + 18, "middle", timeOf(at, hasSeconds))),
      ...valuesUpTo(top, unit).flatMap((value) => [
        stroke(level(value), "line"),
        text(-9, y(value) + 4, "end", quantity(value, unit)),
      ]),
      ...(threshold !== undefined && threshold <= top ? [stroke(level(threshold), "warning", "6 4")] : []),
      ...marks.map(({ at, kind }) => stroke(upright(at), markColours[kind], "2 3")),
      ...drawnLines.map(({ line: { colour, isDashed }, values }) =>
        stroke(pathOf(values), colour, isDashed ? "6 4" : "", "line"),
      ),
      ...(pointed !== undefined ? [stroke(upright(pointed.at), "soft")] : []),
    );
  };
  const title = element("h2", "", chart.title, time);
  return { element: element("section", "chart", title, legend, drawing), drawing, draw };
}

function stroke(d: string, colour: string, dashes = "", name = ""): SVGElement {
  return drawn("path", { d, stroke: `var(--${colour})`, "stroke-dasharray": dashes, class: name });
}

function text(x: number, y: number, anchor: string, written: string): SVGElement {
  return drawn("text", { x, y, "text-anchor": anchor }, written);
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
