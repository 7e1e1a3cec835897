const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Makes text fit for HTML and SVG, between tags and within attributes alike. */
export function escaped(text: string): string {
  // Control characters are not allowed in XML at all, not even escaped.
  return text
    .replace(/[&<>"']/g, (character) => entities[character]!)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}
