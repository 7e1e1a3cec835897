/** How far before a number its label is looked for, in UTF-16 units. */
const reach = 64;

/** The word IBAN, whose first letter text recognition reads as a one or a small L. */
const ibanWord = /(?<![\p{L}\d])[I1l] ?BAN(?![\p{L}\d])/giu;

/**
 * What may stand between the word IBAN and the number: a few words of the same sentence ("IBAN-Nr.", "IBAN du
 * bénéficiaire :", "IBAN (International Bank Account Number)"), and a new line after them.
 */
const afterIbanWord = /^(?:[^\p{L}\p{N}\n.!?]{0,12}\p{L}{1,16}(?:\.(?!\s+\p{L}))?){0,6}[^\p{L}\p{N}]{0,24}$/u;

/** Words that name another kind of number, directly before it. */
const otherLabel = new RegExp(
  "(?<!\\p{L})(?:order|bestell|auftrag|rechnung|invoice|customer|client|kunde|ust|uid|vat|tva|mwst|iva|btw|tax|steuer|" +
    "tel|fon|phone|fax|mobil|handy|tracking|sendung|paket|shipment|seri|vertrag|contract|contrat|artikel|article|item|" +
    "sku|karte|card|carte|kredit|credit|isbn|passport|ausweis|siret|siren|commande|facture|pedido|factura|ordine|" +
    "fattura|gläubiger|mandat|policy|police|ticket|case|booking|buchung|ref|lei|isin|eori|zeichen|akte|zamówieni|" +
    "faktur|nip|regon)" +
    "\\p{L}*(?:[\\s./-]{0,3}(?:n(?:r|o|um|umm?er|úmero|umero|uméro|°|º)?|id(?:ent)?\\p{L}*|code|#))?[^\\p{L}\\p{N},;]{0,6}$",
  "iu",
);

const bicLabel =
  /(?<![\p{L}\d])(?:B[I1l]C|SW[I1l]FT)(?![\p{L}\d])(?:[\s/-]{0,3}(?:BIC|SWIFT|code|adresse|address|nr|no))*[^\p{L}\p{N}]{0,12}$/iu;

/** Says which numbers of one text are announced, and as what. */
export class Labels {
  readonly #text: string;
  /** UTF-16 indexes after each word IBAN, in order. */
  readonly #ibanWords: readonly number[];
  /** The first of those that is not yet behind the numbers asked about. */
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ibanWords = Array.from(text.matchAll(ibanWord), ({ index, 0: word }) => index + word.length);
  }

  /** Whether the text speaks of IBANs at all. */
  get mentionsIban(): boolean {
    return this.#ibanWords.length > 0;
  }

  /** Whether the number that begins at an index is announced as an IBAN. Ask in the order of the text. */
  announcesIban(start: number): boolean {
    const words = this.#ibanWords;
    while (this.#next < words.length && words[this.#next]! <= start) this.#next++;
    const word = words[this.#next - 1];
    if (word === undefined || start - word > reach) return false;
    return afterIbanWord.test(this.#text.slice(word, start)) && !this.announcesOther(start);
  }

  /** Whether the number that begins at an index is announced as something that is not an IBAN. */
  announcesOther(start: number): boolean {
    return otherLabel.test(this.#text.slice(Math.max(0, start - reach), start));
  }

  /** Whether the code that begins at an index is announced as a BIC. */
  announcesBic(start: number): boolean {
    return bicLabel.test(this.#text.slice(Math.max(0, start - reach), start));
  }

  /** Whether an index lies inside a word, a web address or an e-mail address. */
  isInside(start: number): boolean {
    if (start === 0 || /\s/.test(this.#text[start - 1]!)) return false;
    if (/[\p{L}\p{N}]/u.test(this.#text[start - 1]!)) return true;
    const token = /\S*$/.exec(this.#text.slice(Math.max(0, start - reach), start))![0];
    return /:\/\/|www\.|@/i.test(token);
  }
}
