/** A language of the page. */
export type Language = "de" | "en";

const english = {
  key: "API key",
  open: "Open",
  views: "Views",
  check: "Check",
  batch: "Batch",
  pool: "Pool",
  keyHint: "Give an API key to begin. It stays in this browser tab.",
};

/** The texts of the page around its views; elements name theirs in `data-text`. */
export const texts: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: {
    key: "API-Schlüssel",
    open: "Öffnen",
    views: "Ansichten",
    check: "Prüfen",
    batch: "Liste",
    pool: "Pool",
    keyHint: "Zum Beginn einen API-Schlüssel angeben. Er bleibt in diesem Browser-Tab.",
  },
};
