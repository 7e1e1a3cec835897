import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dataFolder, factsIn, factsMissing, rowsOf } from "./shipped.ts";

type Field = keyof ReturnType<typeof rowsOf<"blz.csv">>[number];

test("every single fact of blz-corrections.csv is in blz.csv, with its source named", () => {
  const mains = new Map(
    rowsOf("blz.csv")
      .filter(({ Merkmal }) => Merkmal === "1")
      .map((row) => [row.Bankleitzahl, row]),
  );
  const [head, ...lines] = readFileSync(`${dataFolder}blz-corrections.csv`, "utf8").trimEnd().split("\n");
  assert.equal(head, "bank_code;field;value;source;edition");
  assert.ok(lines.length > 300);
  for (const line of lines) {
    const [blz, field, value, source, edition] = line.split(";");
    assert.equal(mains.get(blz!)?.[field as Field], value, line);
    assert.ok(source && edition, line);
    if (field === "IBAN-Regel") assert.equal(mains.get(blz!)?.Quelle, "P", line);
  }
});

test("every German main record knows its method and IBAN rule, and further locations repeat them", () => {
  let main = rowsOf("blz.csv")[0]!;
  for (const row of rowsOf("blz.csv")) {
    if (row.Merkmal === "1") main = row;
    assert.match(row["Prüfzifferberechnungsmethode"], /^[0-9A-Z]\d$/);
    assert.equal(row["Prüfzifferberechnungsmethode"], main["Prüfzifferberechnungsmethode"]);
    assert.deepEqual([row["IBAN-Regel"], row.Quelle], [main["IBAN-Regel"], main.Quelle]);
    assert.match(row["IBAN-Regel"], /^\d{6}$/);
  }
});

test("every added bank code and every corrected name and BIC is as the collected facts say", {
  skip: factsMissing,
}, () => {
  type Fact = Record<"country" | "bank_code" | "name" | "bic" | "field" | "value", string>;
  const corrections = factsIn<Fact>("banks-corrections.csv");
  const additions = factsIn<Fact>("banks-additions-2.csv");
  const keyOf = ({ country, bank_code }: Pick<Fact, "country" | "bank_code">) => `${country} ${bank_code}`;
  const banks = new Map(rowsOf("banks.csv").map((row) => [keyOf(row), row]));
  const corrected = new Set(corrections.map((fact) => `${keyOf(fact)} ${fact.field}`));
  for (const fact of additions) {
    for (const field of ["name", "bic"] as const)
      if (!corrected.has(`${keyOf(fact)} ${field}`))
        assert.equal(banks.get(keyOf(fact))?.[field], fact[field], keyOf(fact));
  }
  for (const fact of corrections) {
    const field = fact.field === "town" ? "city" : (fact.field as "name" | "bic" | "zip");
    assert.equal(banks.get(keyOf(fact))?.[field], fact.value, keyOf(fact));
  }
  assert.ok(additions.length + corrections.length > 1_900);
});
