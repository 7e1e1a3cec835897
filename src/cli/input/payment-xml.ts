import { SaxesParser } from "saxes";
import { InputError } from "../../rows/rows.ts";
import { csvQuoter } from "../../rows/verdict.ts";

/** The messages whose accounts are read; others of the same families are written alike. */
const message = /^urn:iso:std:iso:20022:tech:xsd:(pain\.00[18]|camt\.05[234])\./;

/** A party to a payment, as far as it is checked. */
type Party = Record<"name" | "iban" | "bic", string>;

/** An element whose parties belong together: a payment, a group of them, or a statement. */
interface Scope {
  readonly depth: number;
  reference: string;
  readonly parties: Map<string, Party>;
}

const scopes: ReadonlySet<string> = new Set([
  ...["PmtInf", "CdtTrfTxInf", "DrctDbtTxInf"],
  ...["Stmt", "Rpt", "Ntfctn", "Ntry", "TxDtls"],
]);

const roles: Readonly<Record<string, string>> = { Dbtr: "debtor", Cdtr: "creditor", Acct: "account" };

/** Where a text within its scope belongs to a party. Source: ISO 20022, messages pain.001, pain.008, camt.052 to 054. */
const partyText =
  /^(?:RltdPties\/|RltdAgts\/)?(Dbtr|Cdtr|Acct)(?:Acct|Agt)?\/(?:(?:Pty\/|Ownr\/)?(Nm)|Id\/(IBAN)|(?:Svcr\/)?FinInstnId\/(BIC|BICFI))$/;
const referenceText = /^(PmtInfId|(PmtId|Refs)\/EndToEndId)$/;

/** Maximum length of text without a tag, and maximum depth of elements; messages need far less. */
const maxTextLength = 1_048_576;
const maxDepth = 64;
const pieceLength = 65_536;

/**
 * Reads the accounts of payment orders, direct debits and statements (pain.001, pain.008, camt.052 to 054) as CSV: a row
 * for each debtor, creditor and account that has an IBAN, with its role, name, BIC and end-to-end reference.
 *
 * Throws an InputError for XML that is damaged, is another message, or has a document type, so that no entity expands.
 */
export async function* paymentAccounts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  const rows = new AccountRows();
  const parser = new SaxesParser({ xmlns: false });
  parser.on("error", (error) => {
    throw new InputError(`The XML file is damaged: ${error.message.replace(/\.$/, "")}.`);
  });
  parser.on("doctype", () => {
    throw new InputError(
      "The XML file has a document type, which payment messages do not have; it is refused.",
    );
  });
  parser.on("opentag", ({ name, attributes }) => rows.open(name, attributes as Record<string, string>));
  parser.on("closetag", () => rows.close());
  parser.on("text", (text) => rows.text(text));
  let decoder: ReturnType<typeof decoderOf> | undefined;
  yield Buffer.from("role,name,iban,bic,reference\n");
  for await (const piece of bytes) {
    decoder ??= decoderOf(piece);
    const text = decoder.decode(piece, { stream: true });
    parser.write(text);
    rows.expectTags(text.length);
    if (rows.written.length >= pieceLength) yield rows.take();
  }
  parser.write(decoder?.decode() ?? "");
  parser.close();
  yield rows.take();
}

/** By the XML declaration; UTF-16 has become UTF-8 before. */
function decoderOf(piece: Buffer): InstanceType<typeof TextDecoder> {
  const declaration = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(
    piece.toString("latin1", 0, 256),
  );
  const [, encoding = "utf-8"] = declaration ?? [];
  try {
    return new TextDecoder(/^utf-?16/i.test(encoding) ? "utf-8" : encoding);
  } catch {
    throw new InputError(
      `The XML file is in the encoding ${encoding}, which is not known; save it in UTF-8.`,
    );
  }
}

const quoted = csvQuoter(",");

/** Gathers the rows of a message while its elements open and close. */
class AccountRows {
  written = "";
  readonly #path: string[] = [];
  readonly #scopes: Scope[] = [];
  #text = "";
  /** How much text has come since the last tag. */
  #untagged = 0;

  open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    const name = qualified.slice(qualified.indexOf(":") + 1);
    if (this.#path.length === 0) expectMessage(name, Object.values(attributes));
    if (this.#path.length >= maxDepth) throw new InputError("The XML file nests its elements too deeply.");
    this.#untagged = 0;
    this.#text = "";
    this.#path.push(name);
    if (!scopes.has(name)) return;
    // Write the parties of the group before its payments.
    this.#writeParties();
    this.#scopes.push({ depth: this.#path.length, reference: "", parties: new Map() });
  }

  text(text: string): void {
    if (this.#scopes.length > 0) this.#text += text;
  }

  close(): void {
    this.#untagged = 0;
    const scope = this.#scopes.at(-1);
    if (scope !== undefined && this.#path.length === scope.depth) {
      this.#writeParties();
      this.#scopes.pop();
    } else if (scope !== undefined && this.#text.trim() !== "") {
      this.#takeText(scope, this.#path.slice(scope.depth).join("/"), this.#text.trim());
    }
    this.#text = "";
    this.#path.pop();
  }

  /** Throws an InputError if the parser would hold more and more of a text, comment or tag that does not end. */
  expectTags(length: number): void {
    this.#untagged += length;
    if (this.#untagged <= maxTextLength) return;
    throw new InputError(
      "The XML file has more than a million characters without a tag; it is not a payment message.",
    );
  }

  /** The rows since the last call, in UTF-8. */
  take(): Buffer {
    const { written } = this;
    this.written = "";
    return Buffer.from(written);
  }

  #takeText(scope: Scope, path: string, text: string): void {
    if (referenceText.test(path)) scope.reference = text;
    const [, party = "", name, iban] = partyText.exec(path) ?? [];
    const role = roles[party];
    if (role === undefined) return;
    const found = scope.parties.get(role) ?? { name: "", iban: "", bic: "" };
    found[name !== undefined ? "name" : iban !== undefined ? "iban" : "bic"] = text;
    scope.parties.set(role, found);
  }

  #writeParties(): void {
    const scope = this.#scopes.at(-1);
    for (const [role, { name, iban, bic }] of scope?.parties ?? []) {
      if (iban === "") continue;
      this.written += `${[role, name, iban, bic, scope!.reference].map(quoted).join(",")}\n`;
      scope!.parties.delete(role);
    }
  }
}

function expectMessage(root: string, namespaces: readonly string[]): void {
  if (root === "Document" && namespaces.some((namespace) => message.test(namespace))) return;
  throw new InputError(
    "The XML file is not a message whose accounts can be read: pain.001, pain.008 or camt.052 to 054.",
  );
}
