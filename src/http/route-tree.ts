import { type DescribedRoute, routes } from "../contract/routes.ts";

/** What a path leads to, and its raw parameters in order. */
export interface RouteMatch {
  readonly node: PathNode;
  readonly parameters: readonly string[];
}

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
 * matches nothing, so a trailing slash is a missing segment. Parameters come as sent, percent-encoding untouched.
 */
export function matchRoute(path: string): RouteMatch | undefined {
  let node = root;
  const parameters: string[] = [];
  let start = 1;
  while (start <= path.length) {
    const slash = path.indexOf("/", start);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(start, end);
    const fixed = node.fixed.size === 0 ? undefined : node.fixed.get(segment);
    if (fixed !== undefined) {
      node = fixed;
    } else {
      if (segment === "" || node.parameter === undefined) return undefined;
      node = node.parameter;
      parameters.push(segment);
    }
    start = end + 1;
    if (slash !== -1 && start > path.length) return undefined;
  }
  return node.routes.size === 0 ? undefined : { node, parameters };
}
