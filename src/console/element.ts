/** Makes an element with a class and content. */
export function element(name: string, className: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/** Makes a button that does something when it is pressed. */
export function button(className: string, text: string | Node, pressed: () => void): HTMLButtonElement {
  const made = element("button", className, text) as HTMLButtonElement;
  made.type = "button";
  made.addEventListener("click", pressed);
  return made;
}

/** How long a button says that it has copied. */
const confirmationMs = 1_500;

/** A button that copies a text, and says so for a moment, to a screen reader too. */
export function copyButton(
  textOf: () => string,
  label: string,
  done: string,
  name = label,
): HTMLButtonElement {
  const copying = button("quiet copy", label, async () => {
    await copyText(textOf());
    copying.textContent = copying.ariaLabel = done;
    setTimeout(() => {
      copying.textContent = label;
      copying.ariaLabel = name;
    }, confirmationMs);
  });
  if (name !== label) copying.ariaLabel = name;
  copying.ariaLive = "polite";
  return copying;
}

/** Copies by the clipboard's interface or, where the page has none for lack of TLS, by selecting. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = element("textarea", "offscreen") as HTMLTextAreaElement;
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** Puts the texts of a language into the elements that name one in `data-text`. */
export function translate(within: ParentNode, words: Readonly<Record<string, unknown>>): void {
  for (const labelled of within.querySelectorAll<HTMLElement>("[data-text]")) {
    const text = words[labelled.dataset["text"]!];
    if (typeof text === "string") labelled.textContent = text;
  }
}

/** Firefox reads the file only after the click has been handled. */
const kept = 60_000;

/** Has the browser save a file. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), kept);
}
