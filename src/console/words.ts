/** A language of the page. */
export type Language = "de" | "en";

const english = {
  key: "API key",
  open: "Sign in",
  signOut: "Sign out",
  views: "Views",
  check: "Check",
  batch: "Batch",
  banks: "Banks",
  pool: "Pool",
  service: "Service",
  reference: "Reference",
  keyHint: "Enter an API key to begin. It stays in this browser tab.",
  keyForm: "An API key consists of visible ASCII characters. Check that it was copied whole.",
  keyUnknown: "The service does not know this key.",
  keyChecking: "Checking the key …",
  unreachable: "The service does not answer. Please try again.",
};

/** The texts of the page around its views; elements name theirs in `data-text`. */
export const texts: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: {
    key: "API-Schlüssel",
    open: "Anmelden",
    signOut: "Abmelden",
    views: "Ansichten",
    check: "Prüfen",
    batch: "Liste",
    banks: "Banken",
    pool: "Pool",
    service: "Dienst",
    reference: "Referenz",
    keyHint: "Bitte einen API-Schlüssel eingeben. Er bleibt in diesem Browser-Tab.",
    keyForm:
      "Ein API-Schlüssel besteht aus sichtbaren ASCII-Zeichen. Bitte prüfen, ob er vollständig kopiert wurde.",
    keyUnknown: "Der Dienst kennt diesen Schlüssel nicht.",
    keyChecking: "Der Schlüssel wird geprüft …",
    unreachable: "Der Dienst antwortet nicht. Bitte noch einmal versuchen.",
  },
};
