const mayHaveLongNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const textOrNumber = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/g;
const maxExactLength = 15;

/** JavaScript would round a long number, which is then another one in CSV. */
export function withLongNumbersAsText(line: string): string {
  if (!mayHaveLongNumber.test(line)) return line;
  return line.replace(textOrNumber, (token) => {
    const isExact = token.length <= maxExactLength && Number.isFinite(Number(token));
    return token.startsWith('"') || isExact || String(Number(token)) === token ? token : `"${token}"`;
  });
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a value in a row. */
export function fieldOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
