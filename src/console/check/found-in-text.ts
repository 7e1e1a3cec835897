import { element } from "../element.ts";
import type { Session } from "../session.ts";
import { inFours } from "./recognise.ts";
import { verdictMark } from "./result.ts";
import { checkTexts } from "./words.ts";

/**
 * Has the service look for IBANs in a text and lists them; undefined where there are none. `take` is called with the one
 * chosen, and with the BIC of its country that the text names.
 */
export async function findInText(
  text: string,
  session: Session,
  take: (iban: string, bic: string | undefined) => void,
): Promise<HTMLElement | undefined> {
  const { data } = await session.ask((client) => client.extract(text));
  if (data.ibans.length === 0) return undefined;
  const list = element(
    "ul",
    "",
    ...data.ibans.map(({ iban, valid, bank }) => {
      const button = element(
        "button",
        "quiet",
        element("span", "number", inFours(iban)),
        verdictMark(valid ? "valid" : "invalid", session.language, "span"),
        element("small", "", bank),
      ) as HTMLButtonElement;
      button.type = "button";
      const bic = data.bics.find((found) => found.bic.slice(4, 6) === iban.slice(0, 2))?.bic;
      button.addEventListener("click", () => take(iban, bic));
      return element("li", "", button);
    }),
  );
  return element("section", "card suggestions", element("h2", "", checkTexts[session.language].found), list);
}
