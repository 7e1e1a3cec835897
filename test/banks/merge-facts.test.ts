import assert from "node:assert/strict";
import { test } from "node:test";
import { type BankRow, type Correction, mergeBics, mergeFacts } from "./merge-facts.ts";

const row = (country: string, bank_code: string, values: Partial<BankRow> = {}): BankRow => ({
  ...{ country, bank_code, branch_code: "", bic: "", name: "Bank", short_name: "B.", zip: "", city: "" },
  ...{ source: "schwifty", edition: "2025.09.0" },
  ...values,
});
const correction = (country: string, bank_code: string, field: string, value: string): Correction => ({
  ...{ country, bank_code, field, value, valid_from: "", source: "SCL 2026-05-25" },
});

test("facts are added and corrected, and what does not fit is refused with its reason", () => {
  const own = [
    row("AT", "20111", { bic: "GIBAATWW" }),
    row("FR", "30003", { name: "Inter Europe Conseil SAS" }),
  ];
  const { rows, refused } = mergeFacts(
    own,
    [row("AT", "18250"), row("AT", "20111"), row("AT", "1825"), row("DE", "37040044"), row("ZZ", "1")],
    [
      correction("FR", "30003", "name", "SOCIETE GENERALE"),
      correction("AT", "20111", "bic", "GIBAATWWXXX"),
      correction("AT", "20111", "bic", "GIBA"),
      correction("AT", "99999", "name", "Bank"),
      correction("AT", "20111", "colour", "red"),
      correction("AT", "18250", "name", ""),
    ],
  );
  assert.deepEqual(
    rows.map(({ country, bank_code, bic, name, short_name, source, edition }) =>
      [country, bank_code, bic, name, short_name, source, edition].join("|"),
    ),
    [
      "AT|18250||Bank|B.|schwifty|2025.09.0",
      "AT|20111|GIBAATWWXXX|Bank|B.|schwifty+bic:scl|2025.09.0+2026-05-25",
      "FR|30003||SOCIETE GENERALE||schwifty+name:scl|2025.09.0+2026-05-25",
    ],
  );
  assert.equal(refused.length, 8, refused.join("\n"));
  for (const [index, reason] of [
    /AT 20111: it is there already/,
    /AT 1825: .*does not fit the BBAN/,
    /DE 37040044: German banks/,
    /ZZ 1: .*not in the IBAN registry/,
    /AT 20111 bic: .*not in ISO 9362/,
    /AT 99999 name: no bank has this code/,
    /AT 20111 colour: there is no field/,
    /AT 18250 name: it has no name/,
  ].entries())
    assert.match(refused[index]!, reason);
});

test("further and former BICs are added beside the main one, and what does not fit is refused with its reason", () => {
  const bic = (bank_code: string, given: string, kind = "also") => ({
    ...{ country: "AT", bank_code, bic: given, kind, until: "", source: "SCL 2026-05-25" },
  });
  const known = { ...bic("20111", "OLDBATWW", "former"), main: "GIBAATWWXXX" };
  const listed = new Map([
    ["AT 20111", ["GIBAATWWXXX", "SPADATW1"]],
    ["AT 18250", []],
  ]);
  const facts = [
    ...[bic("20111", "OLDBATWW", "former"), bic("18250", "NEWBATWW"), bic("20111", "GIBAATWW")],
    ...[bic("20111", "SPADATW1", "former"), bic("20111", "GIBA"), bic("99999", "GIBAATWW")],
  ];
  assert.deepEqual(mergeBics([known], facts, listed), {
    rows: [{ ...bic("18250", "NEWBATWW"), main: "" }, known],
    refused: [
      "AT 20111 GIBAATWW (also): the list of its code has it",
      "AT 20111 SPADATW1 (former): the list of its code has it",
      "AT 20111 GIBA (also): it is not a BIC",
      "AT 99999 GIBAATWW (also): no bank has this code",
    ],
  });
});
