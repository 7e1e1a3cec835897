import type uPlot from "uplot";
import { element } from "../element.ts";
import { filled } from "../filled.ts";
import { type Chart, drawnValues, type Line } from "./charts.ts";
import { keptSeconds, type Moment } from "./history.ts";
import type { Numbers } from "./numbers.ts";
import type { PoolWords } from "./words.ts";

const height = 170;
const font = "12px system-ui, sans-serif";
const headroom = 1.1;
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
const dash = [6, 4];
const axisWidth = 68;

/** The charts show at least so much time, and grow with what is known. */
const leastSeconds = 60;

/** One chart on the page: its title, its values as text, and the drawing, which follows the width it is given. */
export class PlottedChart {
  readonly element: HTMLElement;
  readonly #chart: Chart;
  readonly #numbers: Numbers;
  readonly #drawing: HTMLElement;
  readonly #values: readonly HTMLElement[];
  readonly #time = element("span", "time");
  readonly #resized: ResizeObserver;
  #plot: uPlot | undefined;
  #moments: readonly Moment[] = [];
  #pointedAt: number | undefined;

  constructor(chart: Chart, numbers: Numbers, words: PoolWords) {
    this.#chart = chart;
    this.#numbers = numbers;
    this.#drawing = element("div", "drawing");
    this.#drawing.role = "img";
    this.#drawing.ariaLabel = filled(words.chart, { title: chart.title });
    this.#values = chart.lines.map(() => element("dd", ""));
    const legend = element(
      "dl",
      "legend",
      ...chart.lines.map((line, index) =>
        element("div", "", element("dt", "", swatch(line), line.name), this.#values[index]!),
      ),
    );
    const title = element("h2", "", chart.title, this.#time);
    this.element = element("section", "chart", title, legend, this.#drawing);
    this.#resized = new ResizeObserver(() => this.#fit());
    this.#resized.observe(this.#drawing);
  }

  /** Shows these moments, the newest at the right edge. */
  show(moments: readonly Moment[]): void {
    this.#moments = moments;
    this.#plot?.setData(this.#columns());
    this.#tell();
  }

  /** Draws from now on with this library, in the colours that hold at present. */
  draw(library: typeof uPlot): void {
    this.#plot?.destroy();
    this.#plot = new library(this.#options(), this.#columns(), this.#drawing);
  }

  close(): void {
    this.#resized.disconnect();
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  #fit(): void {
    const width = this.#drawing.clientWidth;
    if (width > 0) this.#plot?.setSize({ width, height });
  }

  #columns(): uPlot.AlignedData {
    return [
      this.#moments.map(({ at }) => at),
      ...this.#chart.lines.map((line) => drawnValues(line, this.#moments)),
    ];
  }

  /** Writes the values of the moment that is pointed at, otherwise the newest ones. */
  #tell(): void {
    const pointed = this.#pointedAt === undefined ? undefined : this.#moments[this.#pointedAt];
    const moment = pointed ?? this.#moments.at(-1);
    this.#time.textContent = pointed === undefined ? "" : this.#numbers.time(pointed.at);
    for (const [index, line] of this.#chart.lines.entries()) {
      const value = moment === undefined ? undefined : line.value(moment);
      this.#values[index]!.textContent = this.#numbers.value(value, this.#chart.unit);
    }
  }

  #options(): uPlot.Options {
    const { unit, lines, least } = this.#chart;
    const [soft, faint] = [colourOf(this.#drawing, "--soft"), colourOf(this.#drawing, "--line")];
    const axis: uPlot.Axis = {
      stroke: soft,
      font,
      grid: { stroke: faint, width: 1 },
      ticks: { stroke: faint, width: 1, size: 4 },
    };
    return {
      width: Math.max(1, this.#drawing.clientWidth),
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: "pool" }, points: { size: 7 } },
      hooks: {
        setCursor: [
          ({ cursor }) => {
            this.#pointedAt = cursor.idx ?? undefined;
            this.#tell();
          },
        ],
      },
      scales: {
        x: { range: () => this.#window() },
        y: { range: (_, __, most) => [0, unit === "share" ? 1 : Math.max(least, (most ?? 0) * headroom)] },
      },
      axes: [
        {
          ...axis,
          size: 30,
          incrs: [10, 15, 30, 60],
          space: 64,
          values: (_, splits) =>
            splits.map((at) =>
              this.#numbers.time(
                at,
                splits.some((each) => each % 60 > 0),
              ),
            ),
        },
        {
          ...axis,
          size: axisWidth,
          space: 32,
          // A count has no halves.
          ...(unit === "requests" && { incrs: wholeSteps }),
          values: (_, splits) => splits.map((value) => this.#numbers.value(value, unit)),
        },
      ],
      series: [
        {},
        ...lines.map(({ name, colour, isDashed }) => {
          const stroke = colourOf(this.#drawing, `--line-${colour}`);
          const points = { show: true, size: 4, fill: stroke, filter: alone };
          return { label: name, stroke, width: 1.75, points, ...(isDashed ? { dash } : {}) };
        }),
      ],
    };
  }

  #window(): [number, number] {
    const now = this.#moments.at(-1)?.at ?? Date.now() / 1_000;
    const began = this.#moments[0]?.at ?? now;
    return [now - Math.min(keptSeconds, Math.max(leastSeconds, now - began)), now];
  }
}

/** Which values stand between gaps, so that no line leads to them: they are drawn as points. */
function alone({ data }: uPlot, series: number): number[] {
  const values = data[series]!;
  const isGap = (index: number) => (values[index] ?? null) === null;
  return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

function swatch({ colour, isDashed }: Line): HTMLElement {
  const sample = element("span", "swatch");
  sample.style.borderTopStyle = isDashed ? "dashed" : "solid";
  sample.style.borderTopColor = `var(--line-${colour})`;
  return sample;
}

/** The colour that a custom property stands for at present, dark or light; a canvas knows no custom properties. */
function colourOf(within: HTMLElement, property: string): string {
  const probe = element("span", "");
  probe.style.color = `var(${property})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
