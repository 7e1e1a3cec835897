import { element } from "../element.ts";
import { epcText, maxName, maxReference, type Payee } from "./epc-text.ts";
import type { CheckWords } from "./words.ts";

/** A folded form that draws the QR code of a payment to a checked IBAN; the browser makes it, nothing is sent. */
export function paymentCode(payee: Payee, words: CheckWords): HTMLElement {
  const [name, amount, reference] = [maxName, 15, maxReference].map((maxLength) => {
    return Object.assign(element("input", "") as HTMLInputElement, { maxLength, spellcheck: false });
  }) as [HTMLInputElement, HTMLInputElement, HTMLInputElement];
  amount.inputMode = "decimal";
  const canvas = element("canvas", "qr") as HTMLCanvasElement;
  canvas.role = "img";
  canvas.ariaLabel = words.qrLabel;
  canvas.hidden = true;
  const state = element("p", "notice wrong");
  state.role = "status";
  const draw = async () => {
    const text = epcText(payee, name.value, amount.value, reference.value);
    state.textContent = text === undefined ? words.qrWrong : "";
    canvas.hidden = text === undefined || name.value.trim() === "";
    if (text === undefined || canvas.hidden) return;
    const { generate, correction } = await import("lean-qr");
    generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M }).toCanvas(canvas, {
      pad: 4,
    });
  };
  const label = (text: string, input: HTMLInputElement) =>
    element("label", "", element("span", "", text), input);
  const form = element(
    "form",
    "",
    label(words.qrName, name),
    label(words.qrAmount, amount),
    label(words.qrReference, reference),
  );
  form.addEventListener("input", () => void draw());
  form.addEventListener("submit", (event) => event.preventDefault());
  const folded = element("details", "payment no-print", element("summary", "", words.qr));
  folded.append(form, state, canvas);
  return folded;
}
