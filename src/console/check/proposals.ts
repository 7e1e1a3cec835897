import { element } from "../element.ts";
import type { Session } from "../session.ts";
import { type Correction, corrections } from "./corrections.ts";
import { checkTexts } from "./words.ts";

interface BatchAnswer {
  readonly batch: {
    readonly results: readonly { readonly valid: boolean; readonly data: { readonly bank: string } }[];
  };
}

const mostProposals = 4;

/**
 * Proposes valid IBANs that the given one may have been meant to be, those whose bank is known first; `take` is told which
 * one is chosen. Undefined where there are none.
 */
export async function proposals(
  iban: string,
  session: Session,
  signal: AbortSignal,
  take: (iban: string) => void,
): Promise<HTMLElement | undefined> {
  const possible = corrections(iban);
  if (possible.length === 0) return undefined;
  const ibans = possible.map((correction) => correction.iban);
  const { batch } = await session.ask<BatchAnswer>("/v1/iban", signal, { ibans });
  const valid = possible.flatMap((correction, index) => {
    const { valid, data } = batch.results[index]!;
    return valid ? [{ correction, bank: data.bank }] : [];
  });
  if (valid.length === 0) return undefined;
  valid.sort((one, other) => Number(other.bank !== "") - Number(one.bank !== ""));
  const list = element(
    "ul",
    "",
    ...valid.slice(0, mostProposals).map(({ correction, bank }) => {
      const button = element("button", "quiet", grouped(correction), element("small", "", bank));
      button.addEventListener("click", () => take(correction.iban));
      return element("li", "", button);
    }),
  );
  return element("section", "proposals", element("h3", "", checkTexts[session.language].meant), list);
}

/** The IBAN in fours, what differs being marked. */
function grouped({ iban, changed }: Correction): HTMLElement {
  const text = element("span", "iban");
  for (const [index, character] of [...iban].entries()) {
    if (index > 0 && index % 4 === 0) text.append(" ");
    text.append(changed.includes(index) ? element("mark", "right", character) : character);
  }
  return text;
}
