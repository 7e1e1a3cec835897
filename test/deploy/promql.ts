import { parser } from "@prometheus-io/lezer-promql";

/** One metric that a query asks for. */
export interface Asked {
  /** The metric's name, with `_bucket`, `_sum` or `_count` where it is a histogram's. */
  readonly name: string;
  /** The labels that it is selected by. */
  readonly labels: readonly string[];
  /** The functions around it, the innermost first. */
  readonly functions: readonly string[];
  /** Whether it asks for a range of time, as `[5m]`. */
  readonly isRange: boolean;
}

/** Reads a PromQL query by Prometheus' own grammar, Grafana's variables replaced; throws if it is invalid. */
export function askedBy(query: string): Asked[] {
  const text = query.replaceAll("$__rate_interval", "5m").replaceAll(/\$\w+/g, "any");
  const tree = parser.parse(text);
  const asked: Asked[] = [];
  tree.iterate({
    enter: ({ name, from, to, node, type }) => {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`);
      if (name !== "VectorSelector") return;
      const functions: string[] = [];
      for (let parent = node.parent; parent !== null; parent = parent.parent) {
        const identifier = parent.getChild("FunctionIdentifier");
        if (identifier !== null) functions.push(text.slice(identifier.from, identifier.to));
      }
      const selector = text.slice(from, to);
      asked.push({
        name: /^\w+/.exec(selector)?.[0] ?? "",
        labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
        functions,
        isRange: node.parent?.name === "MatrixSelector",
      });
    },
  });
  return asked;
}

/** The labels that a query groups by. */
export function groupedBy(query: string): string[] {
  return [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/,\s*/));
}
