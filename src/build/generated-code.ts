import { writeFileSync } from "node:fs";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { germanIban } from "../banking/germany/account.ts";
import { EQUALS_LEFT } from "../banking/germany/check-methods/digit-sum.ts";
import { SHORTEST_IBAN } from "../banking/iban/normalise.ts";
import { sepaDigitOffsets } from "../banks/directory/check-data.ts";
import * as directory from "../banks/directory/directory-layout.ts";
import { openApiDocument } from "../contract/openapi/document.ts";
import { ibanOutcomes } from "../contract/status.ts";

// First step of the build: writes the code that is made from tables, before anything is compiled.

writeFileSync(new URL("../kernel/assembly/shared-constants.ts", import.meta.url), sharedConstants());
writeFileSync(new URL("../client/api-types.ts", import.meta.url), await apiTypes());

/** The numbers of the reference that AssemblyScript cannot read in place, since it knows no objects. */
function sharedConstants(): string {
  const { header, record, recordFlag } = directory;

  const numbers: Readonly<Record<string, number>> = {
    ...Object.fromEntries(
      Object.keys(ibanOutcomes).map((name, index) => [`OUTCOME_${name.toUpperCase()}`, index]),
    ),
    DIRECTORY_BRANCH_COUNT: header.branchCount,
    DIRECTORY_RECORDS: header.records,
    DIRECTORY_BLZ_TABLE: header.blzTable,
    DIRECTORY_BLZ_CELLS: header.blzCells,
    DIRECTORY_BANK_TABLE: header.bankTable,
    DIRECTORY_BANK_CELLS: header.bankCells,
    RECORD_BYTES: directory.RECORD_BYTES,
    CELL_BYTES: directory.CELL_BYTES,
    RECORD_RULE: record.rule,
    RECORD_SUCCESSOR: record.successor,
    RECORD_FRAGMENT: record.fragment,
    RECORD_FRAGMENT_BYTES: record.fragmentBytes,
    RECORD_KONTONUMMER: record.kontonummer,
    RECORD_METHOD_INDEX: record.methodIndex,
    RECORD_COUNTRY: record.country,
    RECORD_FLAGS: record.flags,
    FLAG_DELETION_MARKED: recordFlag.deletionMarked,
    NO_METHOD: directory.NO_METHOD,
    NO_KONTONUMMER: directory.NO_KONTONUMMER,
    FRAGMENT_HEAD_BYTES: directory.FRAGMENT_HEAD_BYTES,
    SDD_OFFSET: sepaDigitOffsets.sdd,
    B2B_OFFSET: sepaDigitOffsets.b2b,
    SCC_OFFSET: sepaDigitOffsets.scc,
    GERMAN_BLZ: germanIban.blz.start,
    GERMAN_KONTONUMMER: germanIban.kontonummer.start,
    EQUALS_LEFT,
    SHORTEST_IBAN,
  };

  const lines = Object.entries(numbers).map(([name, number]) => `export const ${name} = ${number};\n`);
  return `/* Written by the build. */\n${lines.join("")}`;
}

/** The types of the client, from the schemas of the OpenAPI document: those named here and what they refer to. */
async function apiTypes(): Promise<string> {
  const roots = [
    ...["IbanCheckAnswer", "IbanBatchAnswer", "AccountCheckAnswer", "BankSearchRequest", "BankSearchAnswer"],
    ...["ErrorAnswer", "HealthAnswer", "UsageAnswer", "ExtractAnswer", "BankLookupAnswer", "BankDataAnswer"],
    ...["ProcessesAnswer", "HistoryAnswer"],
  ];
  const document = JSON.stringify(openApiDocument()).replaceAll("#/components/schemas/", "#/definitions/");
  const { components } = JSON.parse(document) as { components: { schemas: JSONSchema["definitions"] } };
  const properties = Object.fromEntries(roots.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const schema: JSONSchema = {
    definitions: components.schemas!,
    type: "object",
    properties,
    required: roots,
  };
  const code = await compile(schema, "Roots", {
    bannerComment: "// Written by the build.",
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    format: false,
  });
  return code.replace(/^export interface Roots \{[\s\S]*?^\}\n/m, "");
}
