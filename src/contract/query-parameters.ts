import { RequestError } from "./errors.ts";
import { message } from "./message.ts";
import { type DescribedRoute, describedRoutes } from "./routes.ts";
import { requestSchemas } from "./schema/request-schemas.ts";

/** How many parameters of a query are looked at: all of 15,000 would hold up other requests. */
const maxParameters = 100;

/** The parameters that every endpoint reads: the language of its sentences, and those of an error by id. */
const everywhere = ["lang", "explain"] as const;

/** By operation: the parameters it has, and those that the interface specification has, where it knows the endpoint. */
const parametersOf = new Map(
  describedRoutes.map(({ operation, query, specified }) => {
    const properties = query === undefined ? {} : requestSchemas[query.schema].properties;
    return [operation, { known: new Set([...Object.keys(properties), ...everywhere]), specified }];
  }),
);

/**
 * Throws invalid_request for a query parameter that an endpoint does not have, with the one that is probably meant.
 *
 * An endpoint of the interface specification ignores unknown parameters as before, unless one is a slip in the name of an
 * extension: `expalin=1`. Pages accept any.
 */
export function refuseUnknownParameters(operation: DescribedRoute["operation"], query: string): void {
  const parameters = parametersOf.get(operation);
  if (parameters === undefined) return;
  const { known, specified } = parameters;
  for (const part of query.split("&", maxParameters)) {
    const written = part.split("=", 1)[0]!;
    if (written === "" || known.has(written)) continue;
    const [field = ""] = new URLSearchParams(`${written}=`).keys();
    if (known.has(field)) continue;
    const nearest = nearestOf(field, known);
    if (specified !== undefined && (nearest === undefined || specified.includes(nearest))) continue;
    const detail =
      nearest === undefined
        ? message("parameter_unknown", { field, known: [...known].join(", ") })
        : message("parameter_misspelt", { field, nearest });
    throw new RequestError("invalid_request", { field, message: detail });
  }
}

/** Returns the name that at most a third of the letters of `name` make of it. */
function nearestOf(name: string, known: ReadonlySet<string>): string | undefined {
  const distances = [...known].map((one) => ({ one, distance: editDistance(name.toLowerCase(), one) }));
  const near = distances.filter(({ one, distance }) => distance <= one.length / 3);
  return near.sort((left, right) => left.distance - right.distance)[0]?.one;
}

/** Number of letters to change, add, leave out or exchange with the next: optimal string alignment. */
function editDistance(left: string, right: string): number {
  // Names of very different lengths are never slips; one may be as long as a request's head.
  if (Math.abs(left.length - right.length) > 2) return Number.POSITIVE_INFINITY;
  const costs = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row++) {
    const last = costs[row - 1]!;
    const next = [row];
    costs.push(next);
    for (let at = 1; at <= right.length; at++) {
      const isSame = left[row - 1] === right[at - 1];
      const isExchanged = left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1];
      next[at] = Math.min(last[at]! + 1, next[at - 1]! + 1, last[at - 1]! + (isSame ? 0 : 1));
      if (isExchanged) next[at] = Math.min(next[at]!, costs[row - 2]![at - 2]! + 1);
    }
  }
  return costs[left.length]![right.length]!;
}
