import type { Requests } from "./request-types.ts";
import { type RouteRow, type RouteTag, routeGroups } from "./route-groups.ts";

type Row = (typeof routeGroups)[RouteTag][number];

/** Name of the operation of a route; the server finds the handler by it. */
export type OperationName = Row["operation"];

/** Name of an operation that reads its query. */
export type QueriedOperationName = Extract<Row, { readonly query: object }>["operation"];

/** A valid query of an operation. */
export type QueryOf<Name extends QueriedOperationName> = Requests[Extract<
  Row,
  { readonly operation: Name; readonly query: object }
>["query"]["schema"]];

/** Name of an operation that a worker does in one task; the pool finds the task by it. */
export type PooledOperationName = Exclude<
  (typeof routeGroups)[Exclude<RouteTag, "Service">][number]["operation"],
  "stream"
>;

/** One row of the route table. */
export interface DescribedRoute extends Omit<RouteRow, "method" | "operation"> {
  readonly method: "GET" | "POST";
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
export const routes: readonly DescribedRoute[] = Object.entries(routeGroups)
  .flatMap(([tag, group]) =>
    group.map((row) => ({ method: "GET", pooled: tag !== "Service", tag: tag as RouteTag, ...row }) as const),
  )
  .map((row, index) => ({ ...row, number: index + 1 }));

/** The row of each operation, with the names of its schemas. */
export const routeOf = Object.fromEntries(routes.map((row) => [row.operation, row])) as unknown as {
  readonly [One in Row as One["operation"]]: One;
};

/** The operations that a worker does in one task. */
export const pooledOperations = routes
  .filter(({ pooled, operation }) => pooled && operation !== "stream")
  .map(({ operation }) => operation as PooledOperationName);
