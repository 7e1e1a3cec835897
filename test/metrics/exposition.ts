/** One series of a text in Prometheus' exposition format. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Reads a text in Prometheus' exposition format; throws for a line that is not in it. Source: version 0.0.4. */
function parseExposition(text: string): Series[] {
  return text
    .split("\n")
    .filter((row) => row !== "" && !row.startsWith("#"))
    .map((row) => {
      const [, name, labels = "", value] = line.exec(row) ?? [];
      if (name === undefined) throw new Error(`no line of the exposition format: ${row}`);
      const pairs = [...labels.matchAll(/([a-z_]\w*)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key, content]) => [key, content])),
        value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
      };
    });
}

/** Reads the metrics that a process of this machine serves on its port for them. */
export async function scrape(
  adminPort: number,
): Promise<{ readonly text: string; readonly series: Series[] }> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return { text, series: parseExposition(text) };
}

/** The value of the only series of a name with these labels among its own; undefined if there is none. */
export function valueIn(
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = series.filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  );
  if (found.length > 1) throw new Error(`${found.length} series are named ${name} ${JSON.stringify(labels)}`);
  return found[0]?.value;
}
