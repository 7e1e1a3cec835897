import { isBic, normaliseBic } from "../banking/bic.ts";
import { isFormalIban, normaliseIban } from "../banking/iban/normalise.ts";
import { ibanCountryByCode } from "../banking/iban/registry.ts";
import { countryNotRegistered } from "../checks/country-checks.ts";
import { notAnIban } from "../checks/iban-answer.ts";
import type { SearchQuestion } from "../checks/search-answer.ts";
import { type CheckOptionName, checkOptions } from "../contract/check-options.ts";
import { RequestError } from "../contract/errors.ts";
import type { Language } from "../contract/language.ts";
import { defaultSamples, defaultSearchResults, maxFillIns } from "../contract/limits.ts";
import type { Requests } from "../contract/request-types.ts";
import {
  type PooledOperationName,
  type QueriedOperationName,
  type QueryOf,
  routeOf,
} from "../contract/routes.ts";
import type { RequestSchemaName } from "../contract/schema/request-schemas.ts";
import { parseJsonObject, validate } from "../contract/schema/validate.ts";
import { type Slot, type SlotSize, smallRoom } from "./slots.ts";
import { encodeTask, TaskFlag } from "./tasks.ts";

/** The parts of a request that a task is made from, independent of its source. */
export interface TaskRequest {
  /** Path parameters in order, percent-encoding untouched. */
  readonly parameters: readonly string[];
  /** Query without the question mark; empty if there is none. */
  readonly query: string;
  /** The body as sent, empty for a request without one. Only valid until the task has been made and filled in. */
  readonly body: Uint8Array;
  readonly language: Language;
}

export type Task = ReturnType<typeof taskWith>;

/**
 * Makes the task of a request, by operation: validates path, query and body, and packs what the worker needs.
 *
 * Each throws the RequestError of the first fault, path and body before query. A batch is validated by the worker.
 */
export const taskOf: Readonly<Record<PooledOperationName, (request: TaskRequest) => Task>> = {
  checkAccountByPath: (request) => {
    const [kontonummer = "", bankleitzahl = ""] = request.parameters.map(decodeSegment);
    validate(routeOf.checkAccountByPath.pathSchema, { kontonummer, bankleitzahl });
    return taskWith("checkAccountByPath", request, `${bankleitzahl} ${kontonummer}`);
  },

  checkAccountByBody: (request) => {
    const { kontonummer, bankleitzahl, sepa } = bodyOf(routeOf.checkAccountByBody.bodies[0], request);
    const sepaFlag = String(sepa) === "1" ? TaskFlag.sepa : 0;
    const flags = (flagsOf("checkAccountByBody", request) & ~TaskFlag.sepa) | sepaFlag;
    return taskWith("checkAccountByBody", request, `${bankleitzahl} ${kontonummer}`, flags);
  },

  checkIbanByPath: (request) => taskWith("checkIbanByPath", request, ibanInPath(request)),

  checkIbanAndBicByPath: (request) => {
    const iban = ibanInPath(request);
    const bic = normaliseBic(decodeSegment(request.parameters[1] ?? ""));
    if (!isBic(bic)) throw new RequestError("invalid_bic");
    const flags = flagsOf("checkIbanAndBicByPath", request) | TaskFlag.bic;
    return taskWith("checkIbanAndBicByPath", request, `${bic} ${iban}`, flags);
  },

  checkIbanByBody: (request) => {
    // Most batches begin with the field `ibans`, so that they need not be parsed to distinguish them from a single check.
    const body = beginsLikeBatch(request.body) ? undefined : parseJsonObject(request.body);
    if (body === undefined || Object.hasOwn(body, "ibans")) return taskWith("batch", request, request.body);
    try {
      validate(acceptsAnyText(request) ? "anyIbanBody" : routeOf.checkIbanByBody.bodies[0], body);
    } catch (error) {
      const isNoIban = error instanceof RequestError && error.code === "invalid_iban";
      throw isNoIban && typeof body["iban"] === "string" ? notAnIban(body["iban"]) : error;
    }
    const bic = normaliseBic(body.bic ?? "");
    const flags = flagsOf("checkIbanByBody", request);
    const iban = (flags & TaskFlag.lenient) === 0 ? normaliseIban(body.iban) : body.iban;
    return bic === ""
      ? taskWith("checkIbanByBody", request, iban, flags)
      : taskWith("checkIbanByBody", request, `${bic} ${iban}`, flags | TaskFlag.bic);
  },

  suggest: (request) => {
    const { iban, max } = bodyOf(routeOf.suggest.bodies[0], request);
    return taskWith("suggest", request, { iban, max: Number(max || maxFillIns) });
  },

  // The worker parses the text, so that a long one holds up no other request.
  extract: (request) => taskWith("extract", request, request.body),

  searchByQuery: (request) => {
    const question = searchQuestion(queryOf("searchByQuery", request.query));
    return taskWith("searchByQuery", request, question, languageFlag(request));
  },

  searchByBody: (request) =>
    taskWith("searchByBody", request, searchQuestion(bodyOf(routeOf.searchByBody.bodies[0], request))),

  lookUpBic: (request) => {
    const bic = normaliseBic(decodeSegment(request.parameters[0] ?? ""));
    validate(routeOf.lookUpBic.pathSchema, { bic });
    return taskWith("lookUpBic", request, bic);
  },

  lookUpBank: (request) => {
    const [country = "", bank_code = ""] = request.parameters.map(decodeSegment);
    validate(routeOf.lookUpBank.pathSchema, { country, bank_code });
    return taskWith("lookUpBank", request, [country.trim(), bank_code]);
  },

  composeIban: (request) => {
    const { country, bank_code, branch_code, account } = bodyOf(routeOf.composeIban.bodies[0], request);
    return taskWith("composeIban", request, { country, bank_code, branch_code, account });
  },

  sampleIbans: (request) => {
    const given = queryOf("sampleIbans", request.query === "" ? "&" : request.query);
    const { country, n = String(defaultSamples), seed = "1" } = given;
    return taskWith("sampleIbans", request, { country, n: Number(n), seed }, languageFlag(request));
  },
};

function bodyOf<Name extends RequestSchemaName>(schema: Name, { body }: TaskRequest): Requests[Name] {
  const fields = parseJsonObject(body);
  validate(schema, fields);
  return fields;
}

const criteria = ["name", "location", "zip", "bankleitzahl", "bic"] as const;

function searchQuestion(given: Requests["searchBody"] | Requests["searchQuery"]): SearchQuestion {
  const asked = criteria.map((name) => [name, (given[name] ?? "").trim()] as const);
  if (asked.every(([, text]) => text === "")) throw new RequestError("missing_search_criteria");
  const { max, offset } = given;
  const limit = max === undefined || max === null || max === "" ? defaultSearchResults : Number(max);
  const country = (given.country ?? "").replace(/\s/g, "").toUpperCase();
  const countries = country === "" || country === "*" ? [] : country.split(",");
  if (countries.some((code) => ibanCountryByCode(code) === undefined)) throw countryNotRegistered();
  return {
    ...Object.fromEntries(asked.filter(([, text]) => text !== "")),
    ...(country === "" ? {} : { countries: country === "*" ? "*" : [...new Set(countries)] }),
    max: limit,
    offset: Number(offset ?? 0),
  };
}

/** Makes a task with the text, the body or the question, as JSON, that its worker answers; by default with the query's options. */
function taskWith(
  task: PooledOperationName | "batch",
  request: TaskRequest,
  asked: string | object,
  flags = flagsOf(task === "batch" ? "checkIbanByBody" : task, request),
) {
  const input = typeof asked === "string" || asked instanceof Uint8Array ? asked : JSON.stringify(asked);
  // UTF-8 takes at most three bytes for each UTF-16 unit.
  const isSmall = typeof input === "string" && input.length * 3 <= smallRoom.input;
  const size: SlotSize = isSmall ? "small" : "large";
  return { size, fill: (slot: Slot) => encodeTask(slot, task, flags, input) };
}

/** Reads the options of a check and the language as flags; throws as `queryOf` does. */
export function flagsOf(
  operation: QueriedOperationName,
  request: Pick<TaskRequest, "query" | "language">,
): number {
  if (request.query === "") return languageFlag(request);
  const given: Readonly<Record<string, unknown>> = queryOf(operation, request.query);
  return checkOptions.reduce(
    (flags, { name, flag }) => (given[name] === "1" ? flags | flag : flags),
    languageFlag(request),
  );
}

/** Whether an IBAN need not have the form of one, since the worker corrects it or reads it leniently. */
function acceptsAnyText(request: TaskRequest): boolean {
  return isSwitchedOn(request, "suggest") || isSwitchedOn(request, "lenient");
}

/** Whether a query has an option of a check, before the query is validated. */
function isSwitchedOn({ query }: TaskRequest, option: CheckOptionName): boolean {
  return query !== "" && new URLSearchParams(query).get(option) === "1";
}

function languageFlag({ language }: Pick<TaskRequest, "language">): number {
  return language === "de" ? TaskFlag.german : 0;
}

/** Reads and validates a query; of a field sent twice the first counts. Malformed percent-encoding is kept as it is. */
export function queryOf<Name extends QueriedOperationName>(operation: Name, query: string): QueryOf<Name> {
  if (query === "") return {} as QueryOf<Name>;
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) fields[name] ??= value;
  validate(routeOf[operation].query.schema, fields);
  return fields as QueryOf<Name>;
}

/** The IBAN of a path: in normal form, or as it is written where it is read leniently. */
function ibanInPath(request: TaskRequest): string {
  const text = decodeSegment(request.parameters[0] ?? "");
  if (isFormalIban(text)) return text;
  const iban = normaliseIban(text);
  if (!isFormalIban(iban) && !acceptsAnyText(request)) throw notAnIban(iban);
  return isSwitchedOn(request, "lenient") ? text : iban;
}

/** Percent-decodes one path segment as UTF-8; malformed encoding becomes an empty text, which no field accepts. */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

const openingBrace = 0x7b;
const space = 0x20;
const ibans = Buffer.from('"ibans"');

/** Whether a body begins like that of a batch: `{"ibans"`, with white space as JSON allows it. */
export function beginsLikeBatch(body: Uint8Array): boolean {
  let at = skipSpace(body, 0);
  if (body[at] !== openingBrace) return false;
  at = skipSpace(body, at + 1);
  return ibans.every((byte, index) => body[at + index] === byte);
}

function skipSpace(body: Uint8Array, from: number): number {
  let at = from;
  while (at < body.length && (body[at] === space || (body[at]! >= 9 && body[at]! <= 13))) at++;
  return at;
}
