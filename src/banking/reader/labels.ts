/** How far before a number its label is looked for, in UTF-16 units. */
export const labelReach = 64;

/** The word I.B.A.N. and the character before it. */
const ibanWordLength = 9;

/** The word IBAN, whose first letter text recognition reads as a one or a small L, perhaps in spaced letters. */
const ibanWord = /(?<![\p{L}\d])(?:[I1l] ?B ?A ?Ns?|I\.B\.A\.N\.)(?![\p{L}\d])/giu;

/**
 * Text allowed between the word IBAN and the number: a few words of the same sentence ("IBAN-Nr.", "IBAN du
 * bénéficiaire :", "IBAN (International Bank Account Number)"), and a new line after them. Each word is taken whole: split
 * in every way, a text without such a number would take a hundred times as long.
 */
const afterIbanWord =
  /^(?:[^\p{L}\p{N}\n.!?]{0,12}\p{L}{1,64}(?!\p{L})(?:\.(?!\s+\p{L}))?){0,6}[^\p{L}\p{N}]{0,24}$/u;

/** Words that name another kind of number, directly before it: short ones, and the beginnings of long ones. An amount in lei is none. */
export const otherLabel = new RegExp(
  "(?<!\\p{L})(?:(?:ust|uid|vat|tva|mwst|iva|btw|tax|tel|fon|fax|item|sku|isbn|siret|siren|case|ref|(?<!\\d\\s?)lei|isin|" +
    "eori|nip|regon|cups|hr[ab]|po|utr)(?!\\p{L}{2}(?<!id|nr|no|nu))|(?:order|bestell|auftrag|rechnung|invoice|customer|client|kunde|" +
    "steuer|telef|phone|mobil|handy|tracking|sendung|paket|shipment|seri|vertrag|contract|contrat|artikel|article|" +
    "karte|card|carte|kredit|credit|passport|ausweis|commande|facture|pedido|factura|ordine|fattura|fatura|gläubiger|mandat|" +
    "policy|police|ticket|booking|buchung|referen|zeichen|verwendung|akte|zamówieni|faktur)(?!\\p{L}*(?:konto(?!n)|account|geber)))" +
    "\\p{L}*(?:[\\s./-]{0,3}(?:n(?:r|o|um|umm?er|úmero|umero|uméro|°|º)?|id(?:ent)?\\p{L}*|code|#))?[^\\p{L}\\p{N},;]{0,6}$",
  "iu",
);

/** Words for an account in Poland, where people leave the country of an IBAN out. */
const polishLabel = /(?<!\p{L})(?:konta|rachun\p{L}{2,3}|nrb)(?:\s+\p{L}{1,20})?[^\p{L}\p{N}]{0,6}$/iu;

const bicLabel =
  /(?<![\p{L}\d])(?:B[I1l]C|SW[I1l]FT)(?![\p{L}\d])(?:[\s/-]{0,3}(?:BIC|SWIFT|code|adresse|address|nr|no))*[^\p{L}\p{N}]{0,12}$/iu;

const labelsBefore = { bic: bicLabel, polish: polishLabel, other: otherLabel } as const;

/** A letter or digit but for those of Chinese and Japanese, which have no spaces between words. */
export const wordCharacter = /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}\p{N}]/u;

export type Labels = ReturnType<typeof labelsIn>;

/** The labels in one text that announce a number, and its kind. */
export function labelsIn(text: string) {
  const mentionsIban = text.search(ibanWord) >= 0;

  const before = (start: number) => text.slice(Math.max(0, start - labelReach), start);

  /** Whether what begins at an index is announced as a BIC, an account in Poland or another number than an IBAN. */
  const announces = (kind: keyof typeof labelsBefore, start: number) =>
    labelsBefore[kind].test(before(start));

  /** Whether the number that begins at an index is announced as an IBAN. */
  function announcesIban(start: number): boolean {
    if (!mentionsIban) return false;
    const written = text.slice(Math.max(0, start - labelReach - ibanWordLength), start);
    const word = [...written.matchAll(ibanWord)].at(-1);
    if (word === undefined) return false;
    return afterIbanWord.test(written.slice(word.index + word[0].length)) && !announces("other", start);
  }

  /** Whether an index lies inside a word, a web address or an e-mail address; no word is where an IBAN ends. */
  function isInside(start: number, isAfterIban = false): boolean {
    if (start === 0 || /\s/.test(text[start - 1]!)) return false;
    if (!isAfterIban && wordCharacter.test(text[start - 1]!)) return true;
    const token = /\S*$/.exec(before(start))![0];
    return /:\/\/|www\.|@/i.test(token);
  }

  return { mentionsIban, mentionsBic: /B[I1l]C|SW[I1l]FT/i.test(text), announces, announcesIban, isInside };
}
