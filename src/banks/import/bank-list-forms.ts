import { type BankListLayout, bankListForm } from "./bank-list-form.ts";
import type { SourceForm } from "./source-rows.ts";

const code = (digits: number): RegExp => new RegExp(`^\\d{1,${digits}}$`);

/** Words of the Belgian list for an unassigned code. */
const belgianVacant = /^(vrij|libre|vrij - libre|onbeschikbaar|indisponible|unavailable|nicht verf\w*|-)$/i;
/** Words of that list in place of a BIC. */
const belgianNoBic = /^(nav|nap|nya|n\/a|-)$/i;

/** BICs that the Polish list has misprinted for POLUPLPRXXX. */
const polishMisprints = /^(PLUPLPRXXX|POLUPLPRXX)$/;

/**
 * The lists of banks that the issuers of a country's bank codes publish.
 *
 * Each says how its columns are called, or where they are in a list without header.
 */
const layouts: readonly BankListLayout[] = [
  {
    name: "OeNB payment directory of Austria, CSV",
    dataset: "oenb",
    delimiter: ";",
    country: "AT",
    bankCode: { heading: /^Bankleitzahl$/, form: /^\d{3,5}$/, digits: 5 },
    bic: { heading: /^SWIF/ },
    names: [/^Bankenname$/],
    zip: { heading: /^PLZ$/, form: /^\d{4}$/ },
    city: { heading: /^Ort$/ },
    others: [
      { heading: /^Identnummer$/, form: /^\d*$/ },
      { heading: /^LEI$/, form: /^([A-Z0-9]{18}\d\d)?$/ },
    ],
  },
  {
    name: "SIX bank master, CSV",
    dataset: "six",
    delimiter: ";",
    country: { heading: /^Country$/, of: (given) => (given === "LI" ? "LI" : "CH") },
    bankCode: { heading: /^(IID\/QR-IID|IID)$/, form: code(5), digits: 5 },
    bic: { heading: /^BIC$/ },
    names: [/^Name of bank\/institution$/i, /^Bank\/Institution Name$/i],
    zip: { heading: /^Post Code$/i },
    city: { heading: /^Town Name$/i },
    day: { heading: /^Valid on$/i },
    // A concatenated code only leads to the one that follows it.
    passesOver: { heading: /^Concatenation$/i, is: /^Y$/i },
    others: [
      { heading: /^Valid on$/i, form: /^\d{4}-\d\d-\d\d$/ },
      { heading: /^Headquarters$/i, form: /^\d*$/ },
      { heading: /^IID type$/i, form: /^\d?$/ },
      { heading: /^Country$/i, form: /^[A-Z]{2}$/ },
    ],
  },
  {
    name: "NBB full list of bank codes of Belgium",
    dataset: "nbb",
    country: "BE",
    bankCode: { heading: /^T_Identification_Number$/i, form: code(3), digits: 3 },
    bic: { heading: /^Biccode$/i, none: belgianNoBic, passesOver: belgianVacant },
    names: [
      /^T_Institutions_Dutch$/i,
      /^T_Institutions_French$/i,
      /^T_Institutions_English$/i,
      /^T_Institutions_German$/i,
    ],
    vacant: belgianVacant,
  },
  {
    name: "CNB payment system codes of Czechia, CSV",
    dataset: "cnb",
    delimiter: ";",
    country: "CZ",
    bankCode: { heading: /^Kód platebního styku$/i, form: code(4), digits: 4 },
    bic: { heading: /^BIC kód/i },
    names: [/^Poskytovatel platebních služeb$/i],
  },
  {
    name: "NBP plewibnra, bank codes of Poland",
    dataset: "nbp",
    delimiter: "\t",
    country: "PL",
    columnCount: 32,
    bankCode: { heading: 4, form: /^\d{8}$/, digits: 8 },
    bic: { heading: 19, none: polishMisprints },
    names: [1],
  },
  {
    name: "Betaalvereniging BIC list of the Netherlands",
    dataset: "betaalvereniging",
    country: "NL",
    bankCode: { heading: /^Identifier$/i, form: /^[A-Z]{4}$/, digits: 4 },
    bic: { heading: /^BIC$/i },
    names: [/^(Naam )?Betaaldienstverlener/i],
  },
];

/** The forms of the lists of banks, in the order of `layouts`. */
export const bankListForms: readonly SourceForm[] = layouts.map(bankListForm);
