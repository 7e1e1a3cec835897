import type { Requests } from "./request-types.ts";
import { type RouteRow, type RouteTag, routeGroups } from "./route-groups.ts";

type Groups = typeof routeGroups;
type RowIn<Tag extends RouteTag> = { [One in Tag]: Groups[One][keyof Groups[One]] }[Tag];
type Row = RowIn<RouteTag>;
type RouteOf = { readonly [One in Row as One["operation"]]: One };

/** Groups whose routes are done without a worker. */
const withoutWorker = ["Service", "Pages"] as const satisfies readonly RouteTag[];

/** Name of the operation of a route; the server finds the handler by it. */
export type OperationName = Row["operation"];

export type QueriedOperationName = Extract<Row, { readonly query: object }>["operation"];

export type QueryOf<Name extends QueriedOperationName> = Requests[RouteOf[Name]["query"]["schema"]];

/** Name of an operation that a worker does in one task; the pool finds the task by it. */
export type PooledOperationName = Exclude<
  RowIn<Exclude<RouteTag, (typeof withoutWorker)[number]>>["operation"],
  "stream"
>;

export interface DescribedRoute extends Omit<RouteRow, "operation"> {
  readonly method: "GET" | "POST";
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly operation: OperationName;
  /** Whether a worker does it, so that it counts against the ceiling and may be refused with server_busy. */
  readonly pooled: boolean;
  /** The group it is shown in. */
  readonly tag: RouteTag;
  /** Its place in the table, from 1. */
  readonly number: number;
}

/**
 * The table of routes: routing, `Allow`, README and OpenAPI are made from it.
 *
 * Source: interface specification, section "Endpoints".
 */
export const routes = Object.entries(routeGroups)
  .flatMap(([tag, group]) => Object.entries(group).map(([address, row]) => ({ tag, address, row })))
  .map(({ tag, address, row }, index) => {
    const [method, path] = address.split(" ");
    const pooled = !withoutWorker.some((group) => group === tag);
    return { method, path, pooled, tag, number: index + 1, ...row };
  }) as readonly DescribedRoute[];

/** The routes of the documented interface. */
export const describedRoutes = routes.filter(({ tag }) => tag !== "Pages");

/** The row of each operation, with the names of its schemas. */
export const routeOf = Object.fromEntries(routes.map((row) => [row.operation, row])) as object as RouteOf;

export const pooledOperations = routes
  .filter(({ pooled, operation }) => pooled && operation !== "stream")
  .map(({ operation }) => operation as PooledOperationName);
