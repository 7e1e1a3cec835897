import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { dataFolder, rowsOf } from "../banks/shipped.ts";
import { expectedOf } from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { type RunningService, startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { checkAccount, checkIban } from "./calls.ts";

/** The shipped data, except one bank with an unknown method and one with an unknown IBAN rule. */
const folder = newFolder();
let service: RunningService;
before(async () => {
  cpSync(dataFolder, folder, { recursive: true });
  const rows = readFileSync(join(folder, "blz.csv"), "utf8")
    .replace(/^("12030030";.*;)"\d\d"(;;"U";.*)$/m, "$1$2")
    .replace(/^("60420020";.*;)"\d{6}";"[PI]"$/m, "$1;");
  writeFileSync(join(folder, "blz.csv"), rows);
  service = await startQuickService({ POOL_QUEUE: "1000", DATA_DIR: folder });
});
after(async () => {
  assert.equal(await service.stop(), 0);
});

const none = { sct: 0, sdd: 0, b2b: 0, scc: 0 };
const all = { sct: 1, sdd: 1, b2b: 1, scc: 1 };

/** Account number, bank code, status without and with `sepa=1`, and why. */
const cases: readonly (readonly [
  kontonummer: string,
  blz: string,
  plain: number,
  sepa: number,
  why: string,
])[] = [
  ["532013000", "37040044", 1, 1, "right"],
  ["0532013000", "37040044", 1, 1, "right, written with a leading zero"],
  ["532013100", "37040044", 0, 0, "the check digit is wrong"],
  ["532013000", "3704004", 2, 2, "the bank code has 7 digits"],
  ["532013000", "370400440", 2, 2, "the bank code has 9 digits"],
  ["53201300012", "37040044", 3, 3, "the account number has 11 digits"],
  ["00532013000", "37040044", 3, 3, "the account number has 11 digits, one of them a leading zero"],
  ["53201300012", "3704004", 4, 4, "both are malformed"],
  ["532013000", "99999999", 7, 7, "the bank code does not exist"],
  ["532013000", "00000000", 7, 7, "the bank code is zero"],
  ["532013000", "12030030", 8, 8, "the bank's method is not known"],
  ["12345", "10010123", 9, 9, "the bank has no check digits"],
  ["1234567892", "60420020", 1, 9, "the bank's IBAN rule is not known"],
];

for (const [kontonummer, blz, plain, sepa, why] of cases) {
  test(`account ${kontonummer} at ${blz} has status ${plain}, with sepa=1 ${sepa}: ${why}`, async () => {
    const withoutIban = await checkAccount(service, kontonummer, blz);
    assert.equal(withoutIban.status, plain, withoutIban.message);
    assert.equal(withoutIban.data.iban, null);
    assert.equal(withoutIban.data.kto, kontonummer, "echoed as it was given");
    assert.equal(withoutIban.data.blz, blz);
    const withIban = await checkAccount(service, kontonummer, blz, { sepa: true });
    assert.equal(withIban.status, sepa, withIban.message);
    if (withIban.data.iban === null) assert.deepEqual(withIban.data.sepa_methods, none);
  });
}

test("the answer for a right account has its bank and, with sepa=1, its IBAN and schemes", async () => {
  const commerzbank = {
    bic: "COBADEFFXXX",
    name: "Commerzbank",
    shortName: "Commerzbank Köln",
    zip: "50447",
    location: "Köln",
  };
  const expected = {
    kto: "532013000",
    blz: "37040044",
    country: "DE",
    ...expectedOf(commerzbank),
  };
  assert.deepEqual((await checkAccount(service, "532013000", "37040044")).data, { iban: null, ...expected });
  assert.deepEqual((await checkAccount(service, "532013000", "37040044", { sepa: true })).data, {
    iban: "DE89370400440532013000",
    ...expected,
    sepa_methods: all,
  });
});

test("POST answers as GET does, sepa as number or as text", async () => {
  for (const [kontonummer, bankleitzahl] of cases) {
    const plain = await checkAccount(service, kontonummer, bankleitzahl);
    const withIban = await checkAccount(service, kontonummer, bankleitzahl, { sepa: true });
    for (const [sepa, expected] of [
      [undefined, plain],
      [0, plain],
      ["0", plain],
      ["", plain],
      [null, plain],
      [1, withIban],
      ["1", withIban],
    ] as const) {
      const answer = await service.post("/v1/kto", { kontonummer, bankleitzahl, sepa });
      assert.deepEqual(await answer.json(), expected, `${kontonummer} sepa ${sepa}`);
    }
    const explained = await checkAccount(service, kontonummer, bankleitzahl, { sepa: true, explain: true });
    const body = { kontonummer, bankleitzahl, sepa: 1 };
    assert.deepEqual(await (await service.post("/v1/kto?explain=1", body)).json(), explained);
  }
});

test("explain adds the checks and changes nothing else", async () => {
  for (const [kontonummer, blz] of cases) {
    for (const sepa of [false, true]) {
      const plain = await checkAccount(service, kontonummer, blz, { sepa });
      const explained = await checkAccount(service, kontonummer, blz, { sepa, explain: true });
      const { checks, messages, sources, ...data } = explained.data;
      assert.ok(messages!.length > 0 && sources !== undefined);
      assert.deepEqual({ ...explained, data }, plain);
      const failed = checks!.some(({ result }) => result === "failed");
      assert.equal(failed, [0, 2, 3, 4, 7].includes(plain.status), `${kontonummer} at ${blz} sepa ${sepa}`);
    }
  }
});

test("a bank whose IBAN rule forbids it gets no IBAN: status 9, though the account number is right or wrong", async () => {
  const blz = "10060198";
  const byDigit = await Promise.all(
    [..."0123456789"].map((digit) => checkAccount(service, `123456${digit}`, blz)),
  );
  const right = byDigit.findIndex(({ status }) => status === 1);
  assert.equal(byDigit.filter(({ status }) => status === 0).length, 9);
  for (const digit of [right, (right + 1) % 10]) {
    const answer = await checkAccount(service, `123456${digit}`, blz, { sepa: true, explain: true });
    assert.equal(answer.status, 9);
    assert.equal(answer.data.iban, null);
    assert.equal(answer.data.checks?.find(({ check }) => check === "iban_rule")?.result, "failed");
  }
});

test("a wrong check digit is what keeps an IBAN from being generated where the rule accepts every account", async () => {
  const { data } = await checkAccount(service, "9132600004", "13091054", { sepa: true, explain: true });
  const rule = data.checks?.find(({ check }) => check === "iban_rule");
  assert.match(rule?.detail ?? "", /The check digit of the account number is wrong\.$/);
});

test("the account check and the IBAN check agree on every bank's account numbers", async () => {
  const rows = rowsOf("blz.csv").filter(({ Merkmal }) => Merkmal === "1");
  for (let at = 0; at < rows.length; at += 29) {
    const blz = rows[at]!.Bankleitzahl;
    const kontonummer = String(1_000_000_007 + at * 7_919);
    const account = await checkAccount(service, kontonummer, blz);
    const iban = await checkIban(service, ibanOf("DE", blz + kontonummer));
    // Numbers without check digit are right as IBANs; an IBAN rule may accept a number without a right check digit.
    if (account.status === 0) assert.ok([0, 1].includes(iban.status), blz);
    else assert.equal(iban.status, 1, `${kontonummer} at ${blz}`);
    assert.equal(iban.data.bank, account.data.bank);
    assert.equal(iban.data.bic, account.data.bic);
  }
});
