import { type LenientReading, readLeniently } from "../iban/normalise.ts";
import { maxSlips, slipsIn } from "./iban-forms.ts";
import { readText } from "./read-text.ts";

/** The one IBAN of a field or a line, with `?` for a character that is unreadable. */
interface OneIban extends LenientReading {
  /** The BIC of its country beside it. */
  readonly bic: string | undefined;
}

/** As long as a short message; 500 of the worst take 40 ms. */
const maxText = 160;

/**
 * Reads the IBAN of a text that should be one: as `readLeniently` does, or else the only one that `readText` finds in it.
 *
 * What is not an IBAN by either stays as `readLeniently` left it, so that the check refuses it.
 *
 * @example readIban("Please pay to DE75 5121 0800 1245 1261 98, thank you").iban // → "DE75512108001245126198"
 */
export function readIban(text: string): OneIban {
  const plain = readLeniently(text);
  const isAlike = slipsIn(plain.iban) <= maxSlips;
  return (isAlike ? undefined : ibanWithin(text.trim(), plain)) ?? { ...plain, bic: undefined };
}

function ibanWithin(text: string, plain: LenientReading): OneIban | undefined {
  if (text.length > maxText || !/\p{Nd}{2}/u.test(text)) return undefined;
  const { ibans, bics } = readText(text);
  const [only, ...others] = ibans;
  if (only === undefined || others.length > 0 || only.iban === plain.iban) return undefined;
  const ofCountry = bics.filter(({ bic }) => bic.slice(4, 6) === only.iban.slice(0, 2));
  return {
    iban: only.iban,
    bic: ofCountry.length === 1 ? ofCountry[0]!.bic : undefined,
    decorations: [...plain.decorations.filter((decoration) => decoration !== "separators"), "text"],
  };
}
