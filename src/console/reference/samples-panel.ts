import { copyButton } from "../copy.ts";
import { element } from "../element.ts";
import { type SampleRequest, sampleLanguages } from "./samples.ts";
import type { ReferenceWords } from "./words.ts";

const storedLanguage = "bankcheck-sample";

/** Shows a request in the language chosen last, in any operation; `update` shows another request. */
export function samplesPanel(words: ReferenceWords): {
  readonly element: HTMLElement;
  update(request: SampleRequest): void;
} {
  const code = element("pre", "sample");
  code.tabIndex = 0;
  const choice = element("select", "") as HTMLSelectElement;
  choice.ariaLabel = words.code;
  for (const { id, name } of sampleLanguages) choice.append(new Option(name, id));
  choice.value = localStorage.getItem(storedLanguage) ?? sampleLanguages[0]!.id;
  if (choice.selectedIndex < 0) choice.selectedIndex = 0;
  let shown: SampleRequest | undefined;
  const show = () => {
    if (shown !== undefined) code.textContent = sampleLanguages[choice.selectedIndex]!.write(shown);
  };
  choice.addEventListener("change", () => {
    localStorage.setItem(storedLanguage, choice.value);
    show();
  });
  const copy = copyButton(() => code.textContent ?? "", words.copy, words.copied);
  return {
    element: element("section", "samples", element("div", "bar", choice, copy), code),
    update(request) {
      shown = request;
      show();
    },
  };
}
