import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { BicIndex } from "../../src/banks/lookup/bics.ts";
import { ModulusEdition, packModulus } from "../../src/banks/lookup/modulus-edition.ts";
import { correct } from "../../src/suggest/correct.ts";
import { type FillIns, fillIn } from "../../src/suggest/fill-in.ts";
import { BankFilters } from "../../src/suggest/filters.ts";
import { dataFolder } from "../banks/shipped.ts";
import { loadShippedData } from "../support/shipped-directory.ts";

const shipped = await loadShippedData(dataFolder);
export const directory = new BankDirectory(shipped.directory);
/** The filters over the shipped bank data. */
export const filters = new BankFilters({
  directory,
  bics: new BicIndex(directory),
  policy: { weights: new ModulusEdition(packModulus(shipped.modulus)), observed: ["GB"] },
});

/** A text as the engine takes it: one byte per character. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Returns the result of `correct`, with IBANs as texts. */
export function correctionsOf(text: string) {
  const { counts, candidates } = correct(bytesOf(text), filters);
  const found = candidates.map(({ iban, kind, positions, bank }) => ({
    iban: String.fromCharCode(...iban),
    kind,
    positions,
    bank,
  }));
  return { counts, found };
}

/** All fill-ins of a text, or the first few. */
export function fillInsOf(text: string, max = Number.POSITIVE_INFINITY): FillIns {
  return fillIn(bytesOf(text), filters, max);
}
