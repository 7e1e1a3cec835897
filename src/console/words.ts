/** A language of the page. */
export type Language = "de" | "en";

/** How numbers and dates are written in a language. */
export const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

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
  unreachable: "The service cannot be reached.",
  slow: "The service has not answered for ten seconds.",
  loading: "Loading …",
  copy: "Copy",
  copied: "Copied",
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
    unreachable: "Der Dienst ist nicht erreichbar.",
    slow: "Der Dienst hat seit zehn Sekunden nicht geantwortet.",
    loading: "Wird geladen …",
    copy: "Kopieren",
    copied: "Kopiert",
  },
};

/** Puts values into a text with braces. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** Writes a day given as `2026-09-07`, or a month as `2026-09`; anything else as it is. */
export function dateOf(day: string, language: Language): string {
  const parts = day.split("-").length;
  if (!/^\d{4}-\d\d(-\d\d)?$/.test(day)) return day;
  const form =
    parts === 3 ? ({ dateStyle: "medium" } as const) : ({ month: "short", year: "numeric" } as const);
  return new Intl.DateTimeFormat(locales[language], { ...form, timeZone: "UTC" }).format(Date.parse(day));
}
