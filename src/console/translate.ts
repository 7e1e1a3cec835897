/** Puts the texts of a language into the elements that name one in `data-text`. */
export function translate(within: ParentNode, words: Readonly<Record<string, string>>): void {
  for (const labelled of within.querySelectorAll<HTMLElement>("[data-text]")) {
    labelled.textContent = words[labelled.dataset["text"]!] ?? labelled.textContent;
  }
}
