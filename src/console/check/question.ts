import { SHORTEST_IBAN } from "../../banking/iban/normalise.ts";
import { isIban } from "../../banking/reader/iban-forms.ts";
import type { AskedNumber } from "../../rows/read-number.ts";
import { filled, checkTexts as words } from "../words.ts";
import { cleanedNote, lengthHint, type Recognised } from "./recognise.ts";

/** What may be asked of the service, and what is said meanwhile. */
interface Question {
  readonly numbers?: readonly AskedNumber[];
  /** What the button offers; without it the numbers are asked about unbidden. */
  readonly offer?: string;
  /** Whether it may still be typed on, so that the check waits longer. */
  readonly isDoubtful?: boolean;
  readonly hint?: string;
  /** How the number was read. */
  readonly cleaned?: string;
}

const bicForm = /^[A-Z0-9]{8}([A-Z0-9]{3})?$/;

/**
 * Returns the question that the input is, with the BIC and the bank code that are typed beside it, and says what is left
 * out; `isBicTyped` where more of the BIC may follow. Pure.
 */
export function questionOf(
  found: Recognised,
  ...beside: [bic: string, blz: string, isBicTyped: boolean]
): Question {
  const hints = (found.british ?? []).map(({ bankCode: code, account }) =>
    filled(words.needsUkBank, { code, account }),
  );
  const question = questionOfNumber(found, ...beside);
  return hints.length === 0 ? question : { ...question, hint: hints.join(" ") };
}

function questionOfNumber(
  found: Recognised,
  bicTyped: string,
  blzTyped: string,
  isBicTyped: boolean,
): Question {
  if (found.kind === "empty")
    return { hint: blzTyped === "" ? words.empty : filled(words.needsAccount, { blz: blzTyped }) };
  if (found.kind === "iban") {
    const { iban } = found;
    const bic = bicTyped.replace(/\s/g, "").toUpperCase();
    const isBic = bicForm.test(bic);
    const isLeftOut = bic !== "" && !isBic;
    return {
      numbers: [isBic ? { iban, bic } : { iban }],
      // Three characters more may follow.
      isDoubtful: !isIban(iban) || isLeftOut || (bic.length === 8 && isBicTyped),
      cleaned: cleanedNote(found),
      ...(isLeftOut && { hint: words.bicLength }),
    };
  }
  if (found.kind === "account") {
    const { kontonummer, inAnyOrder } = found;
    const bankleitzahl = found.blz ?? blzTyped.replace(/\D/g, "");
    if (bankleitzahl.length !== 8) return { hint: words.needsBlz };
    return { numbers: [{ kontonummer, bankleitzahl, ...(inAnyOrder && { inAnyOrder }) }], isDoubtful: true };
  }
  if (found.kind === "blz") {
    const { blz } = found;
    const have = blz.length;
    return { hint: filled(have === 8 ? words.needsAccount : words.shorter, { blz, have, length: 8 }) };
  }
  if (found.kind === "partial") {
    const { iban } = found;
    const isLong = iban.length >= SHORTEST_IBAN && !/^\d/.test(iban);
    return {
      hint: lengthHint(found),
      cleaned: cleanedNote(found),
      ...(isLong && { numbers: [{ iban }], offer: words.checkAnyway }),
    };
  }
  if (found.kind === "text") return { hint: words.noneFound };
  const { numbers } = found;
  return { numbers, offer: filled(words.checkAll, { count: numbers.length }) };
}
