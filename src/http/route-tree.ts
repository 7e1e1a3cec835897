import { type DescribedRoute, routes } from "../contract/routes.ts";

/** A node of the route tree: the routes that end here, and the segments that lead on. */
class PathNode {
  readonly routes = new Map<string, DescribedRoute>();
  readonly fixed = new Map<string, PathNode>();
  parameter: PathNode | undefined;
  /** Whether the path may be called without an API key. */
  isOpen = false;

  get allow(): string {
    return [...this.routes.keys()].join(", ");
  }
}

const root = new PathNode();
for (const route of routes) {
  let node = root;
  for (const segment of route.path.slice(1).split("/")) {
    if (segment.startsWith("{")) {
      node.parameter ??= new PathNode();
      node = node.parameter;
    } else {
      const next = node.fixed.get(segment) ?? new PathNode();
      node.fixed.set(segment, next);
      node = next;
    }
  }
  node.routes.set(route.method, route);
  // The interface specification allows HEAD nowhere; the service's own routes are beyond it.
  if (route.method === "GET" && route.path.startsWith("/service/")) node.routes.set("HEAD", route);
  node.isOpen ||= route.open === true;
}

/**
 * Finds what a path leads to, or undefined for an unknown one. Fixed segments win over parameters; an empty segment
 * matches nothing, so a trailing slash is a missing segment. Parameters come as sent and in order, percent-encoding
 * untouched.
 */
export function matchRoute(path: string) {
  let node = root;
  const parameters: string[] = [];
  let end = 0;
  while (end < path.length) {
    const start = end + 1;
    const slash = path.indexOf("/", start);
    end = slash === -1 ? path.length : slash;
    const segment = path.slice(start, end);
    const fixed = node.fixed.size === 0 ? undefined : node.fixed.get(segment);
    if (fixed === undefined) parameters.push(segment);
    const next = fixed ?? (segment === "" ? undefined : node.parameter);
    if (next === undefined) return undefined;
    node = next;
  }
  return node.routes.size === 0 ? undefined : { node, parameters };
}
