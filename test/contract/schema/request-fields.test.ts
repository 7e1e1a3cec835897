import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { Ajv } from "ajv";
import fc from "fast-check";
import { isBic, normaliseBic } from "../../../src/banking/bic.ts";
import { isFormalIban, normaliseIban } from "../../../src/banking/iban/normalise.ts";
import { RequestError } from "../../../src/contract/errors.ts";
import { publishedField } from "../../../src/contract/openapi/component-schemas.ts";
import {
  type RequestSchema,
  type RequestSchemaName,
  requestSchemas,
} from "../../../src/contract/schema/request-schemas.ts";
import { validate } from "../../../src/contract/schema/validate.ts";

const right: Readonly<Record<RequestSchemaName, Readonly<Record<string, unknown>>>> = {
  accountBody: { kontonummer: "532013000", bankleitzahl: "37040044" },
  ibanBody: { iban: "DE89370400440532013000" },
  anyIbanBody: { iban: "DE89" },
  batchBody: { ibans: ["DE89370400440532013000"] },
  suggestBody: { iban: "DE8937040044053201300?" },
  extractBody: { text: "IBAN: DE89 3704 0044 0532 0130 00" },
  searchBody: { name: "Commerzbank" },
  searchQuery: { name: "Commerzbank" },
  bicPath: { bic: "COBADEFF" },
  bankPath: { country: "AT", bank_code: "12000" },
  composeBody: { country: "ES", bank_code: "2100", branch_code: "0418", account: "0200051332" },
  sampleQuery: { country: "ES" },
  checkQuery: {},
  streamQuery: {},
  languageQuery: {},
  usageQuery: {},
};

/** Values of the kind that a published field describes, some of them beyond its bounds. */
const candidates = fc.oneof(
  fc.integer({ min: -2, max: 60 }),
  fc.stringMatching(/^[0-9]{0,9}$/),
  fc.string(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.constantFrom("DE89 3704 0044 0532 0130 00", "cobadeff", "COBADEFFXXX", "en", "de", "status,valid"),
);

test("values that OpenAPI documents are accepted, field by field", () => {
  const ajv = new Ajv();
  for (const [name, schema] of Object.entries<RequestSchema>(requestSchemas)) {
    for (const [field, fieldSchema] of Object.entries(schema.properties)) {
      const published = publishedField(fieldSchema);
      const fits = ajv.compile(published);
      const { enum: listed, pattern } = published as { enum?: readonly unknown[]; pattern?: string };
      const values = fc.oneof(
        candidates,
        listed === undefined ? candidates : fc.constantFrom(...listed),
        pattern === undefined ? candidates : fc.stringMatching(new RegExp(pattern)),
      );
      let tried = 0;
      fc.assert(
        fc.property(values, (value) => {
          // A pattern cannot list the countries.
          const inNoCountry = field === "bic" && !isBic(normaliseBic(String(value)));
          if (!fits(value) || inNoCountry) return;
          tried++;
          const sent = name.endsWith("Query") ? String(value) : value;
          validate(name as RequestSchemaName, { ...right[name as RequestSchemaName], [field]: sent });
        }),
        { numRuns: 500 },
      );
      assert.ok(tried > 0, `${name}.${field} was never tried`);
    }
  }
});

test("the published patterns of an IBAN and a BIC are the forms that are checked, but for the list of countries", () => {
  const ibans = fc.oneof(
    fc.stringMatching(/^[A-Za-z \t]{2,4}[0-9a-zA-Z ]{10,20}$/),
    fc.stringMatching(/^\s?[A-Za-z]{2}[A-Z0-9\s]{12,16}[é-]?$/),
    fc.string({ unit: "grapheme" }),
  );
  const bics = fc.tuple(
    fc.stringMatching(/^ ?[A-Za-z]{4}$/),
    // Where no country is put in, the letters at its place may not be one.
    fc.constantFrom("DE", "fr", "XK", "D1", "A\tT"),
    fc.stringMatching(/^[A-Za-z0-9-]{1,3} ?[A-Z0-9]{0,4}$/),
  );
  const { ibanBody, bicPath } = requestSchemas;
  const joined = bics.map((parts) => parts.join(""));
  for (const [{ published }, texts, isForm] of [
    [ibanBody.properties["iban"]!, ibans, (text: string) => isFormalIban(normaliseIban(text))],
    [bicPath.properties["bic"]!, joined, (text: string) => isBic(normaliseBic(text))],
  ] as const) {
    const pattern = new RegExp(String(published?.["pattern"]), "u");
    let formal = 0;
    fc.assert(
      fc.property(texts, (text) => {
        if (isForm(text)) formal++;
        assert.equal(pattern.test(text), isForm(text));
      }),
      { numRuns: 2000 },
    );
    assert.ok(formal > 100, `${formal} of the form`);
  }
});

/** Every pattern in a schema, those that are only published too. */
function patternsIn(schema: object): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    if (keyword === "pattern") return [String(value)];
    return typeof value === "object" && value !== null ? patternsIn(value) : [];
  });
}

/** One that takes the square of the length would take minutes; all take milliseconds. */
const onlyAFault = { timeout: 20_000 };

test("no text of a request takes a pattern more steps than some for each character", () => {
  const repeated = [" ", "A", "1", "DE,", "DE ,", "A1 ", "a "];
  const texts = repeated.flatMap((part) => {
    const long = part.repeat(500_000 / part.length);
    return [`${long}!`, `DE${long}!`, `COBADE${long}!`];
  });
  for (const pattern of new Set(patternsIn(requestSchemas))) {
    const tried = { pattern: new RegExp(pattern, "u"), texts };
    const code = "for (const text of texts) pattern.test(text);";
    assert.doesNotThrow(() => runInNewContext(code, tried, onlyAFault), pattern);
  }
});

test("lists of countries and parts of a BIC are accepted as people write them", () => {
  const sent = (field: object) => () => validate("searchBody", { name: "x", ...field });
  for (const country of ["", "  ", "*", " * ", "DE", " de , at ", "DE,AT,CH"])
    assert.doesNotThrow(sent({ country }), JSON.stringify(country));
  for (const country of ["D", "DEU", "DE AT", "DE,", ",DE", "**", "*,DE", "D1"])
    assert.throws(sent({ country }), RequestError, JSON.stringify(country));
  for (const bic of ["", " ", "C", " coba ", "COBADEFFXXX"]) assert.doesNotThrow(sent({ bic }), bic);
  for (const bic of ["COBA DE", "COBADEFFXXXX", "COBA-", "ä"])
    assert.throws(sent({ bic }), RequestError, bic);
});
