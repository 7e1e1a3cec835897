/** The middle value; the mean of the two middle ones where there is an even number. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A figure for people: three significant digits, thousands separated. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
