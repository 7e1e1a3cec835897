import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import registry from "../../../data/iban-registry.json" with { type: "json" };
import type { ErrorAnswer } from "../../../src/contract/api-types.ts";
import { errorCodesOf } from "../../../src/contract/openapi/responses.ts";
import { type DescribedRoute, describedRoutes } from "../../../src/contract/routes.ts";
import { useSharedService } from "../../service.ts";
import { words } from "../../support/words.ts";
import { answerValidators } from "../answer-validators.ts";
import { operationOf, publishedDocument, publishedValidators } from "./published.ts";

const document = publishedDocument();
const publishedValidator = publishedValidators(document);

const service = useSharedService();

const accounts = ["532013000", "0532013000", "532014000", "1", "0", "12345678901", "73463"] as const;
const codes = ["37040044", "10000000", "12345678", "3704", "50010517", "60050101", "20110022"] as const;
const bics = ["COBADEFFXXX", "cobadeff", "DEUTDEFFXXX", "BNPAFRPP", "COBA", "COBAXXFF", ""] as const;
const flags = ["0", "1", "2", "", "yes"] as const;
const examples = registry.countries.map(({ example }) => example);
const ibanText = fc.oneof(
  fc.constantFrom(...examples),
  fc
    .tuple(fc.constantFrom(...examples), fc.nat(33), fc.constantFrom(..."0A9Zé- "))
    .map(([iban, at, other]) => [...iban].with(at % iban.length, other).join("")),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const text = (...usual: readonly string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.string() });
const value = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
const searchText = text("Commerzbank", "Köln", "vr bank", "50447", "80", "37040044", "x", " ");
const max = fc.oneof(fc.integer({ min: -1, max: 60 }), fc.constantFrom("7", "051", "051x", "", "50"));

/** Values worth trying for each field by name; every one may also be absent or of another kind. */
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  kontonummer: text(...accounts),
  bankleitzahl: text(...codes),
  iban: ibanText,
  bic: text(...bics),
  ibans: fc.array(value(ibanText), { maxLength: 6 }),
  sepa: fc.constantFrom(0, 1, "0", "1", "", null, 2),
  explain: fc.constantFrom(...flags),
  name: searchText,
  location: searchText,
  zip: searchText,
  max,
  country: text("AT", "ES", "DE", "*", "AT,CH", "at", "US"),
  bank_code: text("12000", "2100", "37040044", "0800"),
  branch_code: text("0418", "601613", ""),
  account: text("0200051332", "532013000", "2000145399", "31926819"),
  n: fc.constantFrom("1", "7", "100", "101", "x"),
  seed: text("1", "x"),
  unknown: fc.string(),
};
const someFields = (wrap: (field: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, wrap(field)])), {
    requiredKeys: [],
  });

/** A body with mostly the fields of the route's own schemas, since bodies with strange ones are soon refused. */
function bodiesOf(route: DescribedRoute): fc.Arbitrary<string> {
  const content = operationOf(document, route).requestBody?.content["application/json"];
  const own = Object.values(content?.examples ?? {}).map((example) => example.value as object);
  const changed = fc.tuple(fc.constantFrom(...own), someFields(value)).map(([example, more]) => ({
    ...example,
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name in example)),
  }));
  return fc.oneof(
    { weight: 6, arbitrary: changed.map((body) => JSON.stringify(body)) },
    { weight: 3, arbitrary: someFields(value).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.oneof(fc.json(), fc.constantFrom("", "{", "[]", "null")) },
  );
}

function targetsOf(route: DescribedRoute): fc.Arbitrary<string> {
  const { path } = route;
  const parameters = operationOf(document, route).parameters ?? [];
  const segments = path.split("/").map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(segment);
    // A client's URL parser takes dots and an empty segment for another path.
    const texts = fields[name]!.map(String).filter((one) => !/^\.*$/.test(one));
    return texts.map(encodeURIComponent);
  });
  const anyFields = someFields((field) => field);
  const query = fc.tuple(anyFields, fc.boolean()).map(([given, own]) =>
    new URLSearchParams(
      Object.entries(given)
        .filter(([name]) => !own || parameters.some((parameter) => parameter.name === name))
        .map(([name, one]): [string, string] => [name, typeof one === "string" ? one : JSON.stringify(one)]),
    ).toString(),
  );
  return fc
    .tuple(fc.tuple(...segments), fc.option(query, { nil: "" }))
    .map(([parts, asked]) => parts.join("/") + (asked === "" ? "" : `?${asked}`));
}

/** Requests made of each route that reads some input; `CONFORMANCE_RUNS=2000 npm test -- openapi/conformance` makes 2,000. */
const runs = Number(process.env["CONFORMANCE_RUNS"] ?? 80);

/** Headers of every answer that say nothing about this service, so that the document does not list them. */
const commonHeaders = words`
  cache-control connection content-length content-type date keep-alive x-content-type-options
`;

function expectDescribedHeaders(route: DescribedRoute, response: Response): void {
  const documented = Object.keys(operationOf(document, route).responses[response.status]?.headers ?? {});
  const known = new Set([...commonHeaders, ...documented.map((name) => name.toLowerCase())]);
  for (const name of response.headers.keys()) assert.ok(known.has(name), `${name} is not in the document`);
  // English answers do not name their language.
  for (const name of documented)
    assert.ok(name === "Content-Language" || response.headers.has(name), `${name} is missing`);
}

// The answer to a stream is not one JSON text; another test checks its lines.
for (const route of describedRoutes.filter(({ operation }) => operation !== "stream")) {
  test(`${route.operation} answers any request as the document says`, async () => {
    const isPost = route.method === "POST";
    const seen = new Set<number>();
    const bodies = isPost ? bodiesOf(route) : fc.constant(undefined);
    await fc.assert(
      fc.asyncProperty(targetsOf(route), bodies, async (target, body) => {
        const response = await (isPost ? service.post(target, body) : service.request(target));
        seen.add(response.status);
        expectDescribedHeaders(route, response);
        expectDescribed(route, response.status, await response.json());
      }),
      { numRuns: runs },
    );
    assert.ok(seen.has(200), "some requests are right");
  });
}

test("without an API key a route answers 401 as the document says, or 200 where it is open", async () => {
  for (const route of describedRoutes) {
    const target = service.url + route.path.replace(/\{\w+\}/g, "1");
    const response = await fetch(target, { method: route.method });
    assert.equal(response.status, route.open ? 200 : 401, route.operation);
    expectDescribedHeaders(route, response);
    expectDescribed(route, response.status, await response.json());
  }
});

function expectDescribed(route: DescribedRoute, status: number, answer: unknown): void {
  const documented = operationOf(document, route).responses[status];
  assert.ok(documented, `${status} is not in the document: ${JSON.stringify(answer)}`);
  const published = publishedValidator(documented.content!["application/json"]!.schema);
  assert.ok(published(answer), JSON.stringify([answer, published.errors]));
  const names = status === 200 ? route.answers! : (["error"] as const);
  const fitting = names.filter((name) => answerValidators[name](answer));
  const errors = names.map((name) => answerValidators[name].errors);
  assert.equal(fitting.length, 1, JSON.stringify([answer, errors]));
  if (status === 200) return;
  const { error } = answer as ErrorAnswer;
  assert.equal(error.http_status, status);
  assert.ok(errorCodesOf(route).includes(error.code), `${error.code} is not documented`);
}
