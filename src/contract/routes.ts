import type { ErrorCode } from "./errors.ts";
import { routeGroups } from "./route-groups.ts";
import type { AnswerSchemaName } from "./schema/answer-schemas.ts";
import type { RequestSchemaName, Requests } from "./schema/request-schemas.ts";

export interface Route {
  readonly method: "GET" | "POST";
  /** Path with its parameters in braces. */
  readonly path: string;
  readonly operation: OperationName;
  /** Whether a worker does it, so that it counts against the ceiling and may be refused with server_busy. */
  readonly pooled: boolean;
  /** Whether it may be called without an API key; with one it may say more. */
  readonly open?: true;
  /** Whether its path holds an account number, which proxies write to their logs; the setting GET_IBAN allows it. */
  readonly accountInPath?: true;
  readonly summary: string;
}

/** A request schema, and those of its fields that have an effect here; all of them where they are not named. */
interface RequestFields {
  readonly schema: RequestSchemaName;
  readonly fields?: readonly string[];
}

/** One row of the route table: what the server needs, and its documentation for clients. */
export interface DescribedRoute extends Route {
  /** The group it is shown in. */
  readonly tag: RouteTag;
  /** The schema that has the path's parameters among its fields. */
  readonly pathSchema?: RequestSchemaName;
  /** The query's schema, all of whose fields are checked. */
  readonly query?: RequestFields;
  /** Query parameters in the interface specification; absent for endpoints beyond it. */
  readonly specified?: readonly string[];
  /** Schemas of the JSON body; it must be of exactly one of them. */
  readonly bodies?: readonly RequestSchemaName[];
  /** Schemas of the answer with status 200, which is of one of them. */
  readonly answers: readonly AnswerSchemaName[];
  /** Schema of the answer with status 503, where that is not an error. */
  readonly unavailable?: AnswerSchemaName;
  /** Whether the answer has an ETag, and is not sent again to a client that has it. */
  readonly etag?: true;
  /** Serves a page for people, which is not part of the documented interface. */
  readonly isPage?: true;
  /** Error codes beyond those of its fields and those of every route, body or pooled route. */
  readonly errors?: readonly ErrorCode[];
}

/** The groups of routes and what they are for. */
export const routeTags = {
  "Account check": "Checks German account numbers with their bank code, and generates their IBAN.",
  "IBAN check":
    "Checks IBANs of all countries in the IBAN registry, one at a time, in batches or in streams.",
  "Bank search": "Searches banks of all countries, and looks up banks and BICs.",
  Numbers: "Composes IBANs from bank code and account number, and makes test numbers.",
  Service: "State, usage, metrics, bank data and interface of the service.",
} as const;

/** Name of a group of routes. */
export type RouteTag = keyof typeof routeTags;

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

/**
 * The table of routes: routing, `Allow`, README and OpenAPI are made from it.
 *
 * Source: interface specification, section "Endpoints".
 */
export const routes: readonly DescribedRoute[] = Object.entries(routeGroups).flatMap(([tag, group]) =>
  group.map((row) => ({ method: "GET", pooled: tag !== "Service", tag: tag as RouteTag, ...row })),
);

/** The row of each operation, with the names of its schemas. */
export const routeOf = Object.fromEntries(routes.map((row) => [row.operation, row])) as unknown as {
  readonly [One in Row as One["operation"]]: One;
};

/** The operations that a worker does in one task. */
export const pooledOperations = routes
  .filter(({ pooled, operation }) => pooled && operation !== "stream")
  .map(({ operation }) => operation as PooledOperationName);
