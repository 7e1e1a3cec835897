/** Returns a number of a cell as spreadsheets show it: all digits of a whole one, 15 of a fraction (3.3 for 3.3000000000000003). */
export function cellNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}
