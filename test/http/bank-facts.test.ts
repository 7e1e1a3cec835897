import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { overridesFile } from "../../src/banks/files/overrides-csv.ts";
import type { IbanCheckAnswer } from "../../src/client/index.ts";
import { maxBatchIbans } from "../../src/contract/limits.ts";
import { dataFolder, factsFolder, rowsIn, rowsOf } from "../banks/shipped.ts";
import { type RunningService, startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { ibanAtBank } from "../support/iban-mix.ts";
import { checkBatch } from "./calls.ts";

/** Countries of BICs only, none of which is in a list: local entries have them. */
const local = ["GG", "IM", "JE", "YT"].map((country, index) => {
  const bank_code =
    country === "YT" ? "99999" : `TST${index}`.replace(/\d/, (digit) => "ABC"[Number(digit)]!);
  const bank = { country: country === "YT" ? "FR" : "GB", bank_code, bic: `TEST${country}2X` };
  return { ...bank, name: `Bank of ${country}`, zip: "", city: "" };
});

let service: RunningService;
before(async () => {
  const folder = newFolder();
  const entries = local.map(
    ({ country, bank_code, name, bic }) => `${country};${bank_code};${name};${bic};;\n`,
  );
  writeFileSync(
    join(folder, overridesFile),
    `country;bank_code;name;bic;schemes;valid_until\n${entries.join("")}`,
  );
  // Made-up accounts, of which few pass their German bank's method.
  service = await startQuickService({ POOL_QUEUE: "1000", OBSERVE_ACCOUNTS: "DE,GB", DATA_DIR: folder });
});
after(async () => assert.equal(await service.stop(), 0));

interface BankCode {
  readonly country: string;
  readonly bank_code: string;
}

const german = rowsOf("blz.csv").filter(({ Merkmal }) => Merkmal === "1");
const codeOf = ({ country, bank_code }: BankCode) => `${country} ${bank_code}`;
const listed = new Map(
  [
    ...rowsOf("banks.csv"),
    ...local,
    ...german.map((row) => {
      const { Bankleitzahl: bank_code, Bezeichnung: name, BIC: bic, PLZ: zip, Ort: city } = row;
      return { country: "DE", bank_code, name, bic, zip, city };
    }),
  ].map((bank) => [codeOf(bank), bank]),
);

function ibanOf({ country, bank_code }: BankCode): string {
  if (country === "DE") return composeIban("DE", `${bank_code}0532013000`);
  return ibanAtBank(ibanCountryByCode(country)!, bank_code);
}

/** Answers of batches, in the order of the bank codes. */
async function checkCodes(codes: readonly BankCode[]) {
  const ibans = codes.map(ibanOf);
  const answers = [];
  for (let at = 0; at < ibans.length; at += maxBatchIbans) {
    const { batch } = await checkBatch(service, ibans.slice(at, at + maxBatchIbans));
    answers.push(...batch.results);
  }
  return answers;
}

test("an IBAN at every listed bank code is answered with the bank's name, BIC and place", async () => {
  const banks = [...listed.values()];
  const wrong: unknown[] = [];
  for (const [index, { status, data }] of (await checkCodes(banks)).entries()) {
    const { country, bank_code, name, bic, zip, city } = banks[index]!;
    const given = [status, data.country, data.blz, data.bank, data.bic, data.zip, data.location];
    const expected = [1, country, bank_code, name, bic || null, zip, city];
    if (given.join("|") !== expected.join("|")) wrong.push([given, expected]);
  }
  assert.deepEqual(wrong, []);
});

test("a check says what each further and each former BIC is, alone and in a stream, in two languages", async () => {
  const rows = rowsIn<BankCode & Record<"bic" | "kind" | "until", string>>(
    readFileSync(`${dataFolder}bank-bics.csv`, "utf8"),
  );
  assert.ok(rows.length > 700);
  const body = ["iban;bic", ...rows.map((row) => `${ibanOf(row)};${row.bic}`)].join("\n");
  const headers = { "Content-Type": "text/csv", Accept: "application/x-ndjson" };
  const stream = await service.post("/v1/stream?reason=1&bic_column=bic", body, headers);
  const lines = (await stream.text()).trimEnd().split("\n");
  const explain = async (row: (typeof rows)[number], lang: string) => {
    const path = `/v1/iban/${ibanOf(row)}/${row.bic}?reason=1&explain=1&lang=${lang}`;
    return (await (await service.request(path)).json()) as IbanCheckAnswer;
  };
  const expectVerdict = (row: (typeof rows)[number], { status, data }: IbanCheckAnswer) => {
    // The code may be a former one besides, and its account fail its method.
    const reason = data.reason?.startsWith("bic_") ? data.reason : null;
    const expected = row.kind === "also" ? [1, null] : [2, "bic_former"];
    assert.deepEqual([status, reason, row], [...expected, row]);
  };
  for (const [index, row] of rows.entries()) expectVerdict(row, JSON.parse(lines[index]!) as IbanCheckAnswer);
  // An explanation costs a request of its own: it is asked for where its words may differ, and for some of the others.
  const asked = rows.filter(({ until }, index) => until !== "" || index % 8 === 0);
  assert.ok(asked.some(({ kind }) => kind === "also") && asked.some(({ until }) => until !== ""));
  for (const row of asked) {
    const answers = await Promise.all([explain(row, "en"), explain(row, "de")]);
    for (const [at, unknown] of ["not known", "nicht bekannt"].entries()) {
      const answer = answers[at]!;
      expectVerdict(row, answer);
      if (row.kind === "also") continue;
      const { detail = "" } = answer.data.checks!.find(({ check }) => check === "bic")!;
      for (const text of [answer.message, detail]) {
        assert.ok(text.includes(listed.get(codeOf(row))!.bic || unknown), `${codeOf(row)}: ${text}`);
        assert.ok(text.includes(row.until), `${codeOf(row)}: ${text}`);
      }
    }
  }
});

test("each further BIC leads to its banks, and each former one to the present one", async () => {
  const rows = rowsIn<BankCode & Record<"bic" | "kind" | "until", string>>(
    readFileSync(`${dataFolder}bank-bics.csv`, "utf8"),
  );
  const own = new Set([...listed.values()].map(({ bic }) => bic.padEnd(11, "X")));
  const asked = new Map(rows.map((row) => [row.bic, row]));
  for (const row of asked.values()) {
    const answer = await service.request(`/v1/bic/${row.bic}`);
    const { status, message, data } = (await answer.json()) as {
      readonly status: number;
      readonly message: string;
      readonly data: { readonly banks: readonly BankCode[] };
    };
    if (row.kind === "also" || own.has(row.bic.padEnd(11, "X"))) {
      assert.equal(status, 1, row.bic);
      if (!own.has(row.bic.padEnd(11, "X"))) assert.ok(data.banks.map(codeOf).includes(codeOf(row)), row.bic);
    } else assert.match(message, /former BIC of the bank; its|valid until 2025-12-14; .* GEBABEBB/, row.bic);
  }
});

test("a bank without a list of participants has the schemes of its country's row", async () => {
  const { countries } = JSON.parse(readFileSync(`${dataFolder}sepa-defaults.json`, "utf8")) as {
    readonly countries: Readonly<Record<string, readonly number[]>>;
  };
  const banks = [...listed.values()].filter(({ bic }) => bic !== "");
  const asked = Object.entries(countries).flatMap(([country, row]) =>
    banks
      .filter(({ bic }) => bic.slice(4, 6) === country)
      .slice(0, 20)
      .map((bank) => ({ bank, row, country })),
  );
  for (const [index, { data }] of (await checkCodes(asked.map(({ bank }) => bank))).entries()) {
    const { row, country } = asked[index]!;
    const expected = country === "DE" ? [1, 1, 1, 1] : row.slice(0, 4);
    assert.deepEqual([country, ...Object.values(data.sepa_methods)], [country, ...expected]);
  }
  const found = new Set(asked.map(({ country }) => country));
  assert.deepEqual(
    Object.keys(countries).filter((country) => !found.has(country)),
    [],
  );
});

test("every added bank code and every corrected name and BIC is answered as the collected facts say", {
  skip: existsSync(factsFolder) ? false : "the files are not beside it",
}, async () => {
  const rows = (file: string) =>
    rowsIn<BankCode & Record<"name" | "bic" | "field" | "value", string>>(
      readFileSync(`${factsFolder}${file}`, "utf8"),
    );
  const corrections = rows("banks-corrections.csv");
  const additions = rows("banks-additions-2.csv");
  const corrected = new Set(corrections.map(({ field, ...row }) => `${codeOf(row)} ${field}`));
  for (const [index, { data }] of (await checkCodes(additions)).entries()) {
    const row = additions[index]!;
    if (!corrected.has(`${codeOf(row)} name`)) assert.equal(data.bank, row.name, codeOf(row));
    if (!corrected.has(`${codeOf(row)} bic`)) assert.equal(data.bic, row.bic || null, codeOf(row));
  }
  for (const [index, { data }] of (await checkCodes(corrections)).entries()) {
    const row = corrections[index]!;
    const stated = { name: data.bank, bic: data.bic, zip: data.zip, town: data.location };
    assert.equal(stated[row.field as keyof typeof stated], row.value, codeOf(row));
  }
  assert.ok(additions.length + corrections.length > 1_900);
});
