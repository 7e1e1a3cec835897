import type { SourceColumn } from "./source-rows.ts";

/** A column of the Bundesbank's file of bank codes in its three forms. */
export interface BlzColumn extends SourceColumn {
  /** Width in the form of fixed width; in the others the most characters. */
  readonly width: number;
  /** Name of the element in the XML form. */
  readonly element: string;
}

const text = /^(\S.*)?$/;

/**
 * The columns of the file of bank codes, in order. The last one is in the extended file only (174 columns, or XML with
 * `IBANRegel`); the plain one (168 columns, or CSV) does not have it.
 *
 * Source: Deutsche Bundesbank, "Merkblatt Bankleitzahlendatei".
 */
export const blzSourceColumns: readonly BlzColumn[] = [
  { name: "Bankleitzahl", width: 8, element: "BLZ", form: /^[1-9]\d{7}$/ },
  { name: "Merkmal", width: 1, element: "Merkmal", form: /^[12]$/ },
  { name: "Bezeichnung", width: 58, element: "Bezeichnung", form: /^\S.*$/ },
  { name: "PLZ", width: 5, element: "PLZ", form: /^(\d{5})?$/ },
  { name: "Ort", width: 35, element: "Ort", form: text },
  { name: "Kurzbezeichnung", width: 27, element: "Kurzbez", form: text },
  { name: "PAN", width: 5, element: "PAN", form: /^(\d{5})?$/ },
  { name: "BIC", width: 11, element: "BIC", form: /^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$/ },
  { name: "Prüfzifferberechnungsmethode", width: 2, element: "PruefZiffMeth", form: /^[0-9A-Z]\d$/ },
  { name: "Datensatznummer", width: 6, element: "DsNr", form: /^\d{6}$/ },
  { name: "Änderungskennzeichen", width: 1, element: "Aenderungskennz", form: /^[ADMU]$/ },
  { name: "Bankleitzahllöschung", width: 1, element: "BLZLoesch", form: /^[01]$/ },
  { name: "Nachfolge-Bankleitzahl", width: 8, element: "NachfolgeBLZ", form: /^(0{8}|[1-9]\d{7})$/ },
  { name: "IBAN-Regel", width: 6, element: "IBANRegel", form: /^\d{6}$/ },
];

/** How many of the columns the plain file has, which does not tell the IBAN rules. */
export const columnsWithoutRule = blzSourceColumns.length - 1;
