import { type Route, routes } from "../contract/routes.ts";

/** What a path leads to: its routes by method, the `Allow` header, and the raw path parameters in order. */
export interface RouteMatch {
  readonly routes: ReadonlyMap<string, Route>;
  /** By method: the how-manieth route of the table it is, the first one being 1. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly allow: string;
  /** Whether the path may be called without an API key. */
  readonly isOpen: boolean;
  readonly parameters: readonly string[];
}

interface PathNode {
  readonly routes: Map<string, Route>;
  readonly numbers: Map<string, number>;
  readonly fixed: Map<string, PathNode>;
  parameter: PathNode | undefined;
  allow: string;
  isOpen: boolean;
}

/** The route table as a tree over path segments. */
export class RouteTree {
  readonly #root = newNode();

  constructor(table: readonly Route[] = routes) {
    for (const [index, route] of table.entries()) this.#add(route, index + 1);
  }

  /**
   * Finds what a path leads to, or undefined for an unknown one. Fixed segments win over parameters; an empty segment
   * matches nothing, so a trailing slash is a missing segment. Parameters come as sent, percent-encoding untouched.
   */
  match(path: string): RouteMatch | undefined {
    let node = this.#root;
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
    if (node.routes.size === 0) return undefined;
    const { routes, numbers, allow, isOpen } = node;
    return { routes, numbers, allow, isOpen, parameters };
  }

  #add(route: Route, number: number): void {
    let node = this.#root;
    for (const segment of route.path.slice(1).split("/")) {
      if (segment.startsWith("{")) {
        node.parameter ??= newNode();
        node = node.parameter;
      } else {
        const next = node.fixed.get(segment) ?? newNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.routes.set(route.method, route);
    node.numbers.set(route.method, number);
    // The interface specification allows HEAD nowhere; the service's own routes are beyond it.
    if (route.method === "GET" && route.path.startsWith("/service/")) {
      node.routes.set("HEAD", route);
      node.numbers.set("HEAD", number);
    }
    node.allow = [...node.routes.keys()].join(", ");
    node.isOpen ||= route.open === true;
  }
}

function newNode(): PathNode {
  return {
    routes: new Map(),
    numbers: new Map(),
    fixed: new Map(),
    parameter: undefined,
    allow: "",
    isOpen: false,
  };
}
