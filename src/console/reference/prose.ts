import { element } from "../element.ts";

/** Paragraphs and lists of a description; what stands between backticks becomes code. Its Markdown knows no more. */
export function prose(text: string): HTMLElement[] {
  return text
    .split(/\n\s*\n|\n(?=- )/)
    .filter((part) => part.trim() !== "")
    .map((part) => element("p", part.startsWith("- ") ? "item" : "", ...inline(part.replace(/^- /, ""))));
}

function inline(text: string): (string | HTMLElement)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));
}
