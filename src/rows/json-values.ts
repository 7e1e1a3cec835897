const mayHaveLongNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const maxExactLength = 15;

/** Parses JSON; a number that JavaScript would round becomes text. Throws a SyntaxError for anything else. */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (!mayHaveLongNumber.test(json)) return value;
  const exact = json.replace(textOrNumber, (token) => {
    const isExact = token.length <= maxExactLength && Number.isFinite(Number(token));
    return token.startsWith('"') || isExact || String(Number(token)) === token ? token : `"${token}"`;
  });
  return JSON.parse(exact);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a value in a row. */
export function fieldOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type JsonRow = Readonly<Record<string, unknown>>;

/** Returns the keys of rows, and the paths to values of objects within them that no key has for its name. */
export function columnsOfJson(rows: readonly JsonRow[]) {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const nested = new Set(rows.flatMap((row) => nestedPaths(row)));
  return { names: [...names], nested: [...nested].filter((path) => !names.has(path)) };
}

const maxDepth = 4;

function nestedPaths(row: JsonRow, depth = 1): string[] {
  return Object.entries(row).flatMap(([key, value]) => {
    if (!isObject(value) || depth === maxDepth) return [];
    const own = Object.keys(value).filter((name) => !isObject(value[name]));
    return [...own, ...nestedPaths(value, depth + 1)].map((path) => `${key}.${path}`);
  });
}

/** Returns the key, and then the keys within objects, that a column may stand for. */
export function pathOf(column: string): readonly string[] {
  return [column, ...column.split(".")];
}

/** The value of the key that has the whole path for its name, or else the one that the path leads to. */
export function valueAt(row: JsonRow, [name = "", ...path]: readonly string[]): unknown {
  if (Object.hasOwn(row, name)) return row[name];
  let value: unknown = row;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return path.length === 0 ? undefined : value;
}
