import type { Language } from "../words.ts";

const english = {
  name: "Name",
  location: "Town",
  zip: "Postal code",
  code: "Bank code",
  bic: "BIC begins with",
  country: "Country",
  everywhere: "All countries",
  search: "Search",
  hint: "Fill in at least one field. Misspelt names are found too. A search counts as one check.",
  searching: "Searching …",
  none: "No bank matches.",
  count: "{total} banks match.",
  some: "{count} of {total} matching banks.",
  bank: "Bank",
  bicName: "BIC",
  copy: "Copy",
  copied: "Copied",
  check: "Check an account",
  unreachable: "The service cannot be reached.",
  unknown: "–",
};

/** The texts of the Banks view. */
export type BanksWords = typeof english;

export const banksTexts: Readonly<Record<Language, BanksWords>> = {
  en: english,
  de: {
    name: "Name",
    location: "Ort",
    zip: "Postleitzahl",
    code: "Bankleitzahl",
    bic: "BIC beginnt mit",
    country: "Land",
    everywhere: "Alle Länder",
    search: "Suchen",
    hint: "Mindestens ein Feld ausfüllen. Auch falsch geschriebene Namen werden gefunden. Eine Suche zählt als eine Prüfung.",
    searching: "Wird gesucht …",
    none: "Keine Bank passt.",
    count: "{total} Banken passen.",
    some: "{count} von {total} passenden Banken.",
    bank: "Bank",
    bicName: "BIC",
    copy: "Kopieren",
    copied: "Kopiert",
    check: "Konto prüfen",
    unreachable: "Der Dienst ist nicht erreichbar.",
    unknown: "–",
  },
};
