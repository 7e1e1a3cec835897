import assert from "node:assert/strict";
import { before, test } from "node:test";
import { germanBank } from "../banks/records.ts";
import { expectedOf } from "../contract/check-data.ts";
import { ibanOf } from "../contract/iso-check-digits.ts";
import { type RunningService, sharedService } from "../service.ts";
import { checkBatch, checkIban } from "./calls.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});

const none = { sct: 0, sdd: 0, b2b: 0, scc: 0 };
const most = { sct: 1, sdd: 1, b2b: 1, scc: 0 };
const all = { sct: 1, sdd: 1, b2b: 1, scc: 1 };

const noCheckDigits = ibanOf("DE", "100101230000012345");
const wrongAccount = ibanOf("DE", "370400440532013100");
const unknownBank = ibanOf("DE", "999999990532013000");

/** An IBAN, its status, and why. */
const cases: readonly (readonly [iban: string, status: number, why: string])[] = [
  ["DE89370400440532013000", 1, "a German IBAN whose bank code and account number are right"],
  ["GB29NWBK60161331926819", 1, "a British one"],
  ["NO9386011117947", 1, "the shortest of all"],
  ["LC55HEMM000100010012001200023015", 1, "one of the longest"],
  [noCheckDigits, 1, "a German one of a bank without check digits"],
  ["XK051212012345678906", 1, "Kosovo's"],
  ["DE88370400440532013000", 0, "wrong ISO check digits"],
  ["DE00370400440532013000", 0, "ISO check digits 00"],
  ["DE01370400440532013000", 0, "ISO check digits 01"],
  ["DE99370400440532013000", 0, "ISO check digits 99"],
  [wrongAccount, 0, "right ISO check digits, wrong check digit of the account number"],
  ["BE41539007547035", 0, "right ISO check digits, wrong national ones"],
  ["ZZ68539007547034", 3, "an unknown country"],
  ["AX2112345600000785", 3, "a territory's own code"],
  ["AO06000600000100037131174", 3, "a country that uses IBAN-like numbers without having registered them"],
  ["DE8937040044053201300A", 3, "a letter where digits belong"],
  ["DEA9370400440532013000", 3, "check digits that are not digits"],
  ["DE8937040044053201300", 4, "a character too few"],
  ["DE893704004405320130000", 4, "a character too many"],
  [unknownBank, 7, "a German bank code that does not exist"],
];

for (const [iban, status, why] of cases) {
  test(`${iban} has status ${status}: ${why}`, async () => {
    const answer = await checkIban(service, iban);
    assert.equal(answer.status, status, answer.message);
    assert.equal(answer.data.iban, iban);
    const { batch } = await checkBatch(service, [iban]);
    assert.equal(batch.results[0]?.status, status);
    assert.equal(batch.results[0]?.valid, status === 1);
    if (status !== 1)
      assert.deepEqual(answer.data.sepa_methods, none, "nothing may be sent to an invalid IBAN");
  });
}

test("the answer for a valid German IBAN has its bank, account number and bank code", async () => {
  const { message, data } = await checkIban(service, "DE89370400440532013000");
  assert.equal(message, "The IBAN is valid.");
  assert.deepEqual(data, {
    ...expectedOf(germanBank()),
    iban: "DE89370400440532013000",
    kto: "0532013000",
    blz: "37040044",
    country: "DE",
    sepa_methods: all,
  });
});

test("an IBAN of another country has its bank code as blz and no account number", async () => {
  const austria = await checkIban(service, "AT483200000012345864");
  assert.equal(austria.data.blz, "32000");
  assert.equal(austria.data.kto, "");
  assert.equal(austria.data.country, "AT");
  assert.deepEqual(austria.data.sepa_methods, most);
  const brazil = await checkIban(service, "BR1800360305000010009795493C1");
  assert.equal(brazil.data.blz, "00360305");
  assert.deepEqual(brazil.data.sepa_methods, none, "outside SEPA");
});

test("an IBAN whose check digits are wrong shows no bank, one whose account number is wrong does", async () => {
  const wrongIso = await checkIban(service, "DE88370400440532013000");
  assert.deepEqual(
    { ...wrongIso.data },
    {
      ...expectedOf(undefined),
      iban: "DE88370400440532013000",
      kto: "",
      blz: "",
      country: "DE",
      sepa_methods: none,
    },
  );
  const ofKnownBank = await checkIban(service, wrongAccount);
  assert.equal(ofKnownBank.data.bank, "Commerzbank");
  assert.equal(ofKnownBank.data.kto, "0532013100");
  const ofUnknownBank = await checkIban(service, unknownBank);
  assert.equal(ofUnknownBank.data.kto, "0532013000");
  assert.equal(ofUnknownBank.data.blz, "99999999");
  assert.equal(ofUnknownBank.data.bank, "");
  const unknownCountry = await checkIban(service, "ZZ68539007547034");
  assert.equal(unknownCountry.data.country, "");
});

const iban = "DE89370400440532013000";
const unknownBritish = ibanOf("GB", "ZZZZ60161331926819");
/** Bank 99998, branch 00000, account 1, and the RIB key 97 − (89 × 99998 + 15 × 0 + 3 × 1) mod 97. */
const ribKey = String(97 - ((89 * 99_998 + 3) % 97)).padStart(2, "0");
const unknownFrench = ibanOf("FR", `999980000000000000001${ribKey}`);

/** An IBAN, a BIC as it is sent, the status, and why. */
const bics: readonly (readonly [iban: string, bic: string, status: number, why: string])[] = [
  [iban, "COBADEFFXXX", 1, "the bank's own"],
  [iban, "COBADEFF", 1, "the bank's own in its short form"],
  [iban, "COBADEFF370", 1, "another branch of the same institution"],
  [iban, "cobadeffxxx", 1, "in lower case"],
  [iban, "COBA DE FF XXX", 1, "with spaces"],
  [iban, "DEUTDEFF", 2, "another bank of the country"],
  [iban, "COBAATWX", 2, "the same letters, another country"],
  [iban, "BNPAFRPP", 2, "another country"],
  [unknownBritish, "BARCGB22", 1, "no BIC is known for the bank, and the countries agree"],
  [unknownBritish, "BARCGGSX", 1, "Guernsey, under the United Kingdom's prefix"],
  [unknownBritish, "BARCIMDX", 1, "the Isle of Man"],
  [unknownBritish, "BARCJESX", 1, "Jersey"],
  [unknownBritish, "BARCGIGI", 2, "Gibraltar has a prefix of its own"],
  [unknownFrench, "BNPAGPGX", 1, "Guadeloupe, under France's prefix"],
  [unknownFrench, "BNPANCNX", 1, "New Caledonia, under France's prefix and outside SEPA"],
  [unknownFrench, "BNPAMCM1", 2, "Monaco has a prefix of its own"],
  ["FR1420041010050500013M02606", "BNPAGPGX", 2, "a territory under the country's prefix, but another bank"],
  ["FI2112345600000785", "AABAFI22", 2, "another bank of the country"],
  ["AT483200000012345864", "RLNWATWWXXX", 1, "a bank of another country by its own BIC"],
  ["ZZ68539007547034", "COBADEFF", 3, "the country comes before the BIC"],
  ["DE88370400440532013000", "BNPAFRPP", 0, "the IBAN's own fault comes before the BIC"],
  [unknownBank, "BNPAFRPP", 7, "the bank code comes before the BIC"],
];

for (const [of, bic, status, why] of bics) {
  test(`${of} with BIC ${bic} has status ${status}: ${why}`, async () => {
    const byPath = await checkIban(service, `${of}/${encodeURIComponent(bic)}`);
    assert.equal(byPath.status, status, byPath.message);
    assert.deepEqual(await (await service.post("/v1/iban", { iban: of, bic })).json(), byPath);
    if (status !== 2) return;
    assert.equal(byPath.message, "The BIC does not match the IBAN or is invalid.");
    assert.deepEqual(byPath.data, (await checkIban(service, of)).data);
  });
}

test("a matching BIC says whether a bank that is not known is in a territory outside SEPA", async () => {
  for (const [bic, scheme] of [
    ["BNPAGPGX", 1],
    ["BNPANCNX", 0],
  ] as const) {
    const { data } = await checkIban(service, `${unknownFrench}/${bic}`);
    assert.deepEqual(data.sepa_methods, { sct: scheme, sdd: scheme, b2b: scheme, scc: 0 }, bic);
  }
  const { data } = await checkIban(service, `${unknownBritish}/BNPANCNX`);
  assert.equal(data.sepa_methods!.sct, 1);
});

test("an absent, empty or null BIC in a body means none, and sepa changes nothing", async () => {
  const alone = await checkIban(service, iban);
  for (const sepa of [0, 1])
    assert.deepEqual(await (await service.request(`/v1/iban/${iban}?sepa=${sepa}`)).json(), alone);
  for (const bic of [undefined, null, ""]) {
    assert.deepEqual(
      await (await service.post("/v1/iban", { iban, bic })).json(),
      alone,
      JSON.stringify(bic),
    );
  }
});
