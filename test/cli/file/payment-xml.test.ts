import assert from "node:assert/strict";
import { test } from "node:test";
import { isCreditorIdentifier } from "../../../src/banking/creditor-identifier.ts";
import { paymentAccounts } from "../../../src/cli/input/payment-csv.ts";
import type { PaymentReport } from "../../../src/rows/payment-xml.ts";

const namespace = "urn:iso:std:iso:20022:tech:xsd:";

const account = (iban: string) => `<Id><IBAN>${iban}</IBAN></Id>`;
const agent = (bic: string, tag = "BICFI") => `<FinInstnId><${tag}>${bic}</${tag}></FinInstnId>`;

const orders = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}pain.001.001.09"><CstmrCdtTrfInitn><GrpHdr><InitgPty><Nm>Initiator</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>P-1</PmtInfId><Dbtr><Nm>Muster &amp; Söhne, Köln</Nm></Dbtr>
<DbtrAcct>${account("DE89370400440532013000")}</DbtrAcct><DbtrAgt>${agent("COBADEFFXXX")}</DbtrAgt>
<CdtTrfTxInf><PmtId><EndToEndId>E-1</EndToEndId></PmtId><CdtrAgt>${agent("ABNANL2A", "BIC")}</CdtrAgt>
<Cdtr><Nm>Jan "de" Vries</Nm></Cdtr><CdtrAcct>${account("NL91ABNA0417164300")}</CdtrAcct>
<UltmtCdtr><Nm>Somebody else</Nm><PstlAdr><AdrLine>Elsewhere 1</AdrLine></PstlAdr></UltmtCdtr><RmtInf><Ustrd>GB33BUKB20201555555555</Ustrd></RmtInf></CdtTrfTxInf>
<CdtTrfTxInf><PmtId><EndToEndId>E-2</EndToEndId></PmtId><Cdtr><Nm>Without IBAN</Nm></Cdtr><CdtrAcct><Id><Othr><Id>12345</Id></Othr></Id></CdtrAcct></CdtTrfTxInf>
</PmtInf></CstmrCdtTrfInitn></Document>`;

const statement = `<n:Document xmlns:n="${namespace}camt.053.001.08"><n:BkToCstmrStmt><n:Stmt>
<n:Acct><n:Id><n:IBAN>DE89370400440532013000</n:IBAN></n:Id><n:Ownr><n:Nm>Owner</n:Nm></n:Ownr><n:Svcr><n:FinInstnId><n:BICFI>COBADEFFXXX</n:BICFI></n:FinInstnId></n:Svcr></n:Acct>
<n:Ntry><n:NtryDtls><n:TxDtls><n:Refs><n:EndToEndId>E-9</n:EndToEndId></n:Refs>
<n:RltdPties><n:Cdtr><n:Pty><n:Nm>Without account</n:Nm></n:Pty></n:Cdtr><n:Dbtr><n:Pty><n:Nm>Payer</n:Nm></n:Pty></n:Dbtr><n:DbtrAcct><n:Id><n:IBAN>FR1420041010050500013M02606</n:IBAN></n:Id></n:DbtrAcct></n:RltdPties>
<n:RltdAgts><n:DbtrAgt><n:FinInstnId><n:BICFI>PSSTFRPP</n:BICFI></n:FinInstnId></n:DbtrAgt></n:RltdAgts>
</n:TxDtls></n:NtryDtls></n:Ntry></n:Stmt></n:BkToCstmrStmt></n:Document>`;

/** Reads a message that comes in pieces of a length. */
async function read(xml: Buffer | string, length = 1_000_000, report?: PaymentReport): Promise<string> {
  const bytes = Buffer.from(xml);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  }
  let text = "";
  for await (const piece of paymentAccounts(pieces(), report)) text += piece;
  return text;
}

test("payment orders contain debtors and creditors with name, IBAN, BIC and reference, however the file is cut", async () => {
  const expected = [
    "role,name,iban,bic,reference,rulebook",
    'debtor,"Muster & Söhne, Köln",DE89370400440532013000,COBADEFFXXX,P-1,',
    'creditor,"Jan ""de"" Vries",NL91ABNA0417164300,ABNANL2A,E-1,',
    "creditor,Without IBAN,,,E-2,",
    "",
  ].join("\n");
  for (const length of [1_000_000, 300, 7, 1]) {
    // The first piece holds the XML declaration.
    assert.equal(await read(orders, Math.max(length, 64)), expected);
  }
  const latin1 = Buffer.from(orders.replace("UTF-8", "ISO-8859-1"), "latin1");
  assert.equal(await read(latin1), expected);
});

test("texts in CDATA sections, with entities, comments and instructions are read whole", async () => {
  const xml = orders
    .replace("Muster &amp; Söhne, Köln", "Muster <![CDATA[& Söhne]]><!-- & -->, K&#246;<?x y?>ln")
    .replace("DE89370400440532013000", "<![CDATA[DE89]]>37040044<![CDATA[0532013000]]>");
  assert.equal(await read(xml), await read(orders));
});

test("a message of any length is read at once, as a page reads a file", async () => {
  const [payment = ""] = /<CdtTrfTxInf>.*?<\/CdtTrfTxInf>/s.exec(orders) ?? [];
  const long = orders.replace(payment, payment.repeat(6_000));
  assert.ok(long.length > 1_500_000);
  assert.equal((await read(long, long.length + 100)).split("\n").length, 6_004);
});

test("statements, reports and notices contain their own account and the other side of each entry, with any prefix of the names", async () => {
  for (const [version, element, owner] of [
    ["camt.053.001.08", "Stmt", "Owner"],
    ["camt.052.001.08", "Rpt", "Owner"],
    ["camt.054.001.08", "Ntfctn", ""],
  ] as const) {
    const message = statement
      .replace("camt.053.001.08", version)
      .replaceAll("n:Stmt>", `n:${element}>`)
      .replace("<n:Nm>Owner</n:Nm>", `<n:Nm>${owner}</n:Nm>`);
    const expected = [
      "role,name,iban,bic,reference",
      `account,${owner},DE89370400440532013000,COBADEFFXXX,`,
      "debtor,Payer,FR1420041010050500013M02606,PSSTFRPP,E-9",
      "",
    ].join("\n");
    assert.equal(await read(message), expected);
  }
});

const town = "<TwnNm>Köln</TwnNm><Ctry>DE</Ctry>";
const line = "<AdrLine>Domkloster 4</AdrLine>";
const addresses = [
  ["", ""],
  ["<PstlAdr/>", ""],
  [`<PstlAdr><StrtNm>Domkloster</StrtNm><PstCd>50667</PstCd>${town}</PstlAdr>`, ""],
  [`<PstlAdr>${town}${line}${line}</PstlAdr>`, ""],
  [`<PstlAdr>${town}${line}${line}${line}</PstlAdr>`, "address_lines"],
  [`<PstlAdr><Ctry>DE</Ctry>${line}${line}</PstlAdr>`, "address_unstructured"],
  [`<PstlAdr><TwnNm> </TwnNm><Ctry>DE</Ctry>${line}</PstlAdr>`, "address_unstructured"],
  [`<PstlAdr>${line}</PstlAdr>`, "address_unstructured"],
  ["<PstlAdr><Ctry>DE</Ctry></PstlAdr>", "address_incomplete"],
  ["<PstlAdr><StrtNm>Domkloster</StrtNm><TwnNm>Köln</TwnNm></PstlAdr>", "address_incomplete"],
] as const;
const scheme = (id: string) =>
  `<CdtrSchmeId><Id><PrvtId><Othr><Id>${id}</Id><SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></CdtrSchmeId>`;
const party = (role: "Dbtr" | "Cdtr", address = "") =>
  `<${role}><Nm>N</Nm>${address}</${role}><${role}Acct>${account("DE89370400440532013000")}</${role}Acct>`;

/** A message of an own making, with both sides of a payment. */
function ordersOf(version: string, group: string, payments: readonly string[]): string {
  const [root, tag] = version.startsWith("pain.001")
    ? ["CstmrCdtTrfInitn", "CdtTrfTxInf"]
    : ["CstmrDrctDbtInitn", "DrctDbtTxInf"];
  const all = payments.map((payment) => `<${tag}>${payment}</${tag}>`).join("");
  return `<Document xmlns="${namespace}${version}"><${root}><GrpHdr/><PmtInf>${group}${all}</PmtInf></${root}></Document>`;
}

async function refusalsOf(xml: string, length?: number) {
  const report: PaymentReport = { isOrder: false, refused: {} };
  const [header, ...rows] = (await read(xml, length, report)).trimEnd().split("\n");
  assert.match(header!, /,rulebook$/);
  return { refusals: rows.map((row) => row.slice(row.lastIndexOf(",") + 1)), refused: report.refused };
}

for (const version of ["pain.001.001.03", "pain.001.001.09", "pain.008.001.02", "pain.008.001.08"]) {
  const [own, other] = version.startsWith("pain.001")
    ? (["Dbtr", "Cdtr"] as const)
    : (["Cdtr", "Dbtr"] as const);

  test(`the addresses that the rulebooks refuse are named for both sides of ${version}`, async () => {
    const payments = addresses.map(([address]) => party(other, address));
    for (const [ownAddress, ownRefusal] of addresses) {
      const xml = ordersOf(version, party(own, ownAddress), payments);
      const { refusals, refused } = await refusalsOf(xml, 977);
      assert.deepEqual(refusals, [ownRefusal, ...addresses.map(([, refusal]) => refusal)]);
      const counts: Record<string, number> = {};
      for (const refusal of refusals) if (refusal !== "") counts[refusal] = (counts[refusal] ?? 0) + 1;
      assert.deepEqual(refused, counts);
    }
  });
}

test("in direct debits the check digits of the creditor identifier are checked, of the group and of one collection", async () => {
  const [right, wrong] = ["DE98ZZZ09999999999", "DE97ZZZ09999999999"];
  for (const version of ["pain.008.001.02", "pain.008.001.08"]) {
    const unstructured = `<PstlAdr>${line}</PstlAdr>`;
    const xml = ordersOf(version, party("Cdtr", unstructured) + scheme(wrong), [
      party("Dbtr"),
      `<DrctDbtTx>${scheme(right)}<MndtRltdInf>${scheme(wrong).replaceAll("CdtrSchmeId", "OrgnlCdtrSchmeId")}</MndtRltdInf></DrctDbtTx>${party("Dbtr")}`,
      `<DrctDbtTx>${scheme(wrong)}</DrctDbtTx>${party("Dbtr")}`,
    ]);
    assert.deepEqual(await refusalsOf(xml), {
      refusals: ["address_unstructured creditor_identifier", "", "", "creditor_identifier"],
      refused: { address_unstructured: 1, creditor_identifier: 2 },
    });
    const { refusals } = await refusalsOf(ordersOf(version, party("Cdtr") + scheme(right), [party("Dbtr")]));
    assert.deepEqual(refusals, ["", ""]);
  }
});

test("a creditor identifier is checked without its business code and separators", () => {
  for (const text of ["DE98ZZZ09999999999", "de98 ABC 0999 9999 999", "AT61ZZZ01234567890", "FR72ZZZ123456"])
    assert.equal(isCreditorIdentifier(text), true, text);
  for (const text of [
    "",
    "DE98ZZZ",
    "DE98ZZZ09999999998",
    "DE01ZZZ09999999999",
    "DE9ZZZ09999999999",
    "9898ZZZ09999999999",
  ])
    assert.equal(isCreditorIdentifier(text), false, text);
});

test("entities never expand, and XML that is damaged, endless or another document is refused", async () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${orders.slice(orders.indexOf("<Document"))}`;
  for (const [xml, message] of [
    [bomb, /document type.*refused/],
    [orders.replace("Initiator", "&xxe;"), /^The XML file is damaged: .*undefined entity\.$/],
    [orders.slice(0, -20), /damaged/],
    [orders.replace("pain.001.001.09", "pacs.008.001.08"), /not a message whose accounts can be read/],
    [orders.replaceAll("Document", "Documents"), /not a message whose accounts can be read/],
    ["<html><body>x</body></html>", /not a message whose accounts can be read/],
    [orders.replace("Initiator", "x".repeat(3_000_000)), /without a tag/],
    [orders.replace("Initiator", "<a>".repeat(100)), /nests its elements too deeply/],
    [orders.replace("UTF-8", "EBCDIC-7"), /encoding EBCDIC-7/],
  ] as const) {
    await assert.rejects(read(xml, 65_536), { name: "InputError", message });
  }
});
