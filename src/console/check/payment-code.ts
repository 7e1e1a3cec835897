import { element, labelled, Notice } from "../element.ts";
import { language, locale, checkTexts as words } from "../words.ts";
import { amountOf, epcBounds, epcText, type Payee } from "./epc-text.ts";

/** A folded form that draws the QR code of a payment to a checked IBAN; the browser makes it, nothing is sent. */
export function paymentCode(payee: Payee): HTMLElement {
  const name = element("input", { maxLength: epcBounds.name, spellcheck: false });
  const amount = element("input", { maxLength: 20, spellcheck: false, inputMode: "decimal" });
  const reference = element("input", { maxLength: epcBounds.reference, spellcheck: false });
  const canvas = element("canvas", { className: "qr", role: "img", ariaLabel: words.qrLabel });
  const caption = element("figcaption", "hint");
  const drawn = element("figure", { hidden: true }, canvas, caption);
  const state = new Notice();
  const money = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" });
  const draw = async () => {
    const library = await import("lean-qr").catch(() => undefined);
    // From here on nothing is awaited, so that what is drawn is what is filled in.
    const euros = amountOf(amount.value, language);
    const isWrong = euros === undefined && amount.value.trim() !== "";
    const bytes = new TextEncoder().encode(epcText(payee, name.value, euros, reference.value));
    const isLong = bytes.length > epcBounds.bytes;
    const isMissing = library === undefined;
    state.say(isWrong ? words.qrWrong : isLong ? words.qrLong : isMissing ? words.libraryMissing : "", true);
    drawn.hidden = isWrong || isLong || isMissing || name.value.trim() === "";
    if (drawn.hidden || isMissing) return;
    caption.textContent = name.value.trim() + (euros === undefined ? "" : ` · ${money.format(euros)}`);
    const { generate, mode, correction } = library;
    const options = { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M };
    generate(mode.bytes(bytes), options).toCanvas(canvas, { pad: 4 });
  };
  const fields = [
    labelled(words.qrName, name),
    labelled(words.qrAmount, amount),
    labelled(words.qrReference, reference),
  ];
  const form = element("form", "", ...fields);
  form.oninput = () => void draw();
  form.onsubmit = (event) => event.preventDefault();
  const folded = element("details", "payment no-print", element("summary", "", words.qr));
  folded.append(form, state.element, drawn);
  return folded;
}
