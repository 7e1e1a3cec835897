/** How an axis of a chart is made. */
export interface Axis {
  /** The quantity, with its unit. */
  readonly label: string;
  readonly scale?: "linear" | "log";
  /** Positions of its ticks, the first and last being its ends; chosen by the values where absent. */
  readonly ticks?: readonly number[];
}

/** An axis laid over its values. */
export interface Scale {
  readonly ticks: readonly number[];
  /** Share of the axis' length of a value, 0 to 1; a value beyond an end is at that end. */
  at(value: number): number;
}

const maxTicks = 6;
const stepDigits = [1, 2, 5, 10];
/** Room beside the outermost of the given marks, as a share of their distance. */
const margin = 0.08;

/** Lays an axis over values: a linear one from 0 to a round number, a logarithmic one over whole decades. */
export function scaleOf({ scale = "linear", ticks }: Axis, values: readonly number[]): Scale {
  const isLog = scale === "log";
  const usable = values.filter((value) => Number.isFinite(value) && (value > 0 || !isLog));
  const marks = ticks ?? (isLog ? decades(usable) : roundSteps(usable));
  const along = isLog ? Math.log10 : (value: number) => value;
  const [first, last] = [along(marks[0] ?? 0), along(marks.at(-1) ?? 1)];
  const room = ticks === undefined ? 0 : (last - first) * margin || 0.5;
  const length = last - first + 2 * room;
  return {
    ticks: marks,
    at: (value) => {
      const share = isLog && value <= 0 ? 0 : (along(value) - first + room) / length;
      return Math.min(1, Math.max(0, share));
    },
  };
}

function roundSteps(values: readonly number[]): readonly number[] {
  const most = values.reduce((high, value) => Math.max(high, value), 0) || 1;
  const unit = 10 ** Math.floor(Math.log10(most / maxTicks));
  const step = unit * stepDigits.find((digit) => most / (unit * digit) <= maxTicks)!;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function decades(values: readonly number[]): readonly number[] {
  const logs = values.map((value) => Math.log10(value));
  const low = Math.floor(logs.reduce((least, log) => Math.min(least, log), logs[0] ?? 0));
  const high = Math.ceil(logs.reduce((most, log) => Math.max(most, log), logs[0] ?? 0) - 1e-9);
  const count = Math.max(1, high - low);
  return Array.from({ length: count + 1 }, (_, index) => Number((10 ** (low + index)).toPrecision(12)));
}
