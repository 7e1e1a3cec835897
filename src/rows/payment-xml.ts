import { isCreditorIdentifier } from "../banking/creditor-identifier.ts";
import { type Attributes, xmlReader } from "./xml.ts";

/** The messages whose accounts are read; others of the same families are written alike. */
const message = /^urn:iso:std:iso:20022:tech:xsd:(pain\.00[18]|camt\.05[234])\./;

/** The messages that order payments: what the SEPA rulebooks refuse in them is reported. */
const order = /:pain\.00[18]\./;

/** What the SEPA rulebooks in force since 15 November 2026 refuse of a party. */
export type Refusal = "address_unstructured" | "address_incomplete" | "address_lines" | "creditor_identifier";

/** What is known of a message once its rows are read. */
export interface PaymentReport {
  isOrder: boolean;
  /** How many parties have what the rulebooks refuse. */
  readonly refused: Partial<Record<Refusal, number>>;
}

/** A party to a payment, as far as it is checked. */
type Party = Record<"name" | "iban" | "bic" | "creditorIdentifier", string> & {
  /** Names of the elements of its address, with the lines as often as there are. */
  readonly address: string[];
};

/** An element whose parties belong together: a payment, a group of them, or a statement. */
interface Scope {
  readonly depth: number;
  reference: string;
  readonly parties: Map<string, Party>;
}

const scopeElements: ReadonlySet<string> = new Set([
  ...["PmtInf", "CdtTrfTxInf", "DrctDbtTxInf"],
  ...["Stmt", "Rpt", "Ntfctn", "TxDtls"],
]);

const roles: Readonly<Record<string, string>> = { Dbtr: "debtor", Cdtr: "creditor", Acct: "account" };

/** Where a text within its scope belongs to a party. Source: ISO 20022, messages pain.001, pain.008, camt.052 to 054. */
const partyText =
  /^(?:RltdPties\/|RltdAgts\/)?(Dbtr|Cdtr|Acct)(?:Acct|Agt)?\/(?:(?:Pty\/|Ownr\/)?(Nm)|Id\/(IBAN)|(?:Svcr\/)?FinInstnId\/(BIC|BICFI))$/;
/** The same for its address and, in direct debits, for the creditor identifier. Source: ISO 20022, pain.001 and pain.008. */
const addressText = /^(Dbtr|Cdtr)\/PstlAdr\/(\w+)/;
const creditorIdentifierText = /^(DrctDbtTx\/)?CdtrSchmeId\/Id\/PrvtId\/Othr\/Id$/;
const referenceText = /^(PmtInfId|(PmtId|Refs)\/EndToEndId)$/;

/** Maximum depth of elements; messages need far less. */
const maxDepth = 64;

/**
 * Reads the accounts of payment orders, direct debits and statements (pain.001, pain.008, camt.052 to 054): a row for each
 * debtor, creditor and account that has an IBAN, with its role, name, BIC and end-to-end reference; in orders also with
 * what the SEPA rulebooks refuse of it, and a row for each party without an IBAN. The first row names the columns.
 *
 * Throws what `fault` makes of a sentence for XML that is damaged, is another message, or has a document type.
 */
export function paymentReader(
  fault: (sentence: string) => Error,
  report: PaymentReport = { isOrder: false, refused: {} },
) {
  const written: (readonly string[])[] = [];
  const path: string[] = [];
  const scopes: Scope[] = [];

  const open = (name: string, attributes: Attributes): void => {
    if (path.length === 0) {
      const namespace = Object.values(attributes).find((each) => message.test(each));
      if (name !== "Document" || namespace === undefined) {
        throw fault(
          "The XML file is not a message whose accounts can be read: pain.001, pain.008 or camt.052 to 054.",
        );
      }
      report.isOrder = order.test(namespace);
      const columns = ["role", "name", "iban", "bic", "reference"];
      written.push(report.isOrder ? [...columns, "rulebook"] : columns);
    }
    if (path.length >= maxDepth) throw fault("The XML file nests its elements too deeply.");
    path.push(name);
    if (!scopeElements.has(name)) return;
    // Write the parties of the group before its payments.
    writeParties();
    scopes.push({ depth: path.length, reference: "", parties: new Map() });
  };

  const close = (_name: string, text: string): void => {
    const scope = scopes.at(-1);
    if (path.length === scope?.depth) {
      writeParties();
      scopes.pop();
    } else if (scope !== undefined && text.trim() !== "") {
      takeText(scope, path.slice(scope.depth).join("/"), text.trim());
    }
    path.pop();
  };

  const writeParties = (): void => {
    const scope = scopes.at(-1);
    for (const [role, party] of scope?.parties ?? []) {
      const { name, iban, bic } = party;
      // A statement names parties without accounts; an order that does so cannot be executed.
      if (iban === "" && !report.isOrder) continue;
      const fields = [role, name, iban, bic, scope!.reference];
      if (report.isOrder) {
        const refusals = refusalsOf(party);
        for (const refusal of refusals) report.refused[refusal] = (report.refused[refusal] ?? 0) + 1;
        fields.push(refusals.join(" "));
      }
      written.push(fields);
      scope!.parties.delete(role);
    }
  };

  const xml = xmlReader({ open, close }, (reason) => fault(`The XML file is damaged: ${reason}.`));
  return {
    /** Reads on, and returns the rows since the last call. */
    read: (text: string): readonly (readonly string[])[] => {
      xml.read(text);
      return written.splice(0);
    },
    close: (): void => xml.close(),
  };
}

function takeText(scope: Scope, path: string, text: string): void {
  if (referenceText.test(path)) scope.reference = text;
  const [, party = "", name, iban] = partyText.exec(path) ?? [];
  if (party !== "") {
    partyIn(scope, party)[name !== undefined ? "name" : iban !== undefined ? "iban" : "bic"] = text;
    return;
  }
  const [, resident, element] = addressText.exec(path) ?? [];
  if (resident !== undefined) partyIn(scope, resident).address.push(element!);
  // One that only a single collection has is reported with its debtor.
  const identifier = creditorIdentifierText.exec(path);
  if (identifier !== null)
    partyIn(scope, identifier[1] === undefined ? "Cdtr" : "Dbtr").creditorIdentifier = text;
}

function partyIn({ parties }: Scope, element: string): Party {
  const role = roles[element]!;
  const party = parties.get(role) ?? { name: "", iban: "", bic: "", creditorIdentifier: "", address: [] };
  parties.set(role, party);
  return party;
}

/** Maximum number of address lines besides town and country. */
const maxAddressLines = 2;

/**
 * What is refused of a party: since 15 November 2026 an address has a town and a country, and besides its other elements
 * at most two lines. Source: EPC SEPA scheme rulebooks 2025, structured and hybrid addresses.
 */
function refusalsOf({ address, creditorIdentifier }: Party): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const lines = address.filter((element) => element === "AdrLine").length;
  const isLocated = address.length === 0 || (address.includes("TwnNm") && address.includes("Ctry"));
  if (!isLocated) refusals.push(lines > 0 ? "address_unstructured" : "address_incomplete");
  else if (lines > maxAddressLines) refusals.push("address_lines");
  const isIdentified = creditorIdentifier === "" || isCreditorIdentifier(creditorIdentifier);
  if (!isIdentified) refusals.push("creditor_identifier");
  return refusals;
}
