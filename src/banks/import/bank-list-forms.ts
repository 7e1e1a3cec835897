import { type BankListLayout, bankListForm } from "./bank-list-form.ts";
import { nameForm, nameOrNone, type SourceForm } from "./source-rows.ts";

const code = (digits: number): RegExp => new RegExp(`^\\d{1,${digits}}$`);
/** Words of the Belgian list for an unassigned code. */
const belgianVacant = /^(vrij|libre|vrij - libre|onbeschikbaar|indisponible|unavailable|nicht verf\w*|-)$/i;

/**
 * The lists of banks that the issuers of a country's bank codes publish.
 *
 * Each says how its columns are called, or where they are in a list without header.
 */
const layouts: readonly BankListLayout[] = [
  {
    name: "OeNB payment directory of Austria, CSV",
    dataset: "oenb",
    columns: {
      code: { heading: "Bankleitzahl", form: /^\d{3,5}$/ },
      bic: { heading: /^SWIF/ },
      name: { heading: "Bankenname", form: nameForm },
      zip: { heading: "PLZ", form: /^\d{4}$/ },
      city: { heading: "Ort", form: nameOrNone },
      number: { heading: "Identnummer", form: /^\d*$/ },
      lei: { heading: "LEI", form: /^([A-Z0-9]{18}\d\d)?$/ },
    },
  },
  {
    name: "SIX bank master, CSV",
    dataset: "six",
    columns: {
      code: { heading: /^IID(\/QR-IID)?$/, form: code(5) },
      bic: { heading: "BIC" },
      name: { heading: /^(Name of bank\/institution|Bank\/Institution Name)$/i, form: nameForm },
      zip: { heading: "Post Code" },
      city: { heading: "Town Name", form: nameOrNone },
      day: { heading: "Valid on", form: /^\d{4}-\d\d-\d\d$/ },
      country: { heading: "Country", form: /^[A-Z]{2}$/ },
      concatenation: { heading: "Concatenation", isOptional: true },
      headquarters: { heading: "Headquarters", form: /^\d*$/ },
      type: { heading: "IID type", form: /^\d?$/ },
    },
    // A concatenated code only leads to the one that follows it.
    isLeftOut: ({ concatenation }) => /^y$/i.test(concatenation!),
  },
  {
    name: "NBB full list of bank codes of Belgium",
    dataset: "nbb",
    columns: {
      code: { heading: "T_Identification_Number", form: code(3) },
      bic: { heading: "Biccode" },
      name: { heading: /^T_Institutions_(Dutch|French|German|English)$/i, form: nameForm },
    },
    noBic: /^(nav|nap|nya|n\/a)$/i,
    isLeftOut: ({ bic = "", name = "" }) => belgianVacant.test(bic) || belgianVacant.test(name),
  },
  {
    name: "CNB payment system codes of Czechia, CSV",
    dataset: "cnb",
    columns: {
      code: { heading: "Kód platebního styku", form: code(4) },
      bic: { heading: /^BIC kód/i },
      name: { heading: "Poskytovatel platebních služeb", form: nameForm },
    },
  },
  {
    name: "NBP plewibnra, bank codes of Poland",
    dataset: "nbp",
    columnCount: 32,
    columns: {
      code: { heading: 4, form: /^\d{8}$/ },
      bic: { heading: 19 },
      name: { heading: 1, form: nameForm },
    },
    // Misprints of POLUPLPRXXX.
    noBic: /^(PLUPLPRXXX|POLUPLPRXX)$/,
  },
  {
    name: "Betaalvereniging BIC list of the Netherlands",
    dataset: "betaalvereniging",
    columns: {
      code: { heading: "Identifier", form: /^[A-Z]{4}$/ },
      bic: { heading: "BIC" },
      name: { heading: /^(Naam )?Betaaldienstverlener/i, form: nameForm },
    },
  },
];

export const bankListForms: readonly SourceForm[] = layouts.map(bankListForm);
