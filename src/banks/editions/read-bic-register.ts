import type { DatasetName } from "../files/datasets.ts";
import { readEpcCsv } from "../files/epc-csv.ts";
import { readLeiCsv, readMfiCsv } from "../files/institutions-csv.ts";
import type { SclEntry } from "../files/scl-csv.ts";
import {
  type BicFacts,
  fullBic,
  type LoadedRegister,
  type Scheme,
  schemeRegisters,
} from "../lookup/bic-register.ts";
import { type DataEdition, editionOn, readEditionFile } from "./manifest.ts";

type Draft = { -readonly [Field in keyof BicFacts]: BicFacts[Field] };

/**
 * Reads what clearing directory, scheme registers, LEIs and list of institutions say of single BICs, by the BIC of 11
 * characters; empty where none of them is there.
 */
export async function readBicRegister(
  folder: string,
  editions: readonly DataEdition[],
  day: string,
  clearing: readonly SclEntry[] | undefined,
): Promise<LoadedRegister> {
  const register = new Map<string, Draft>();
  const draftOf = (bic: string): Draft => {
    const key = fullBic(bic);
    const known = register.get(key) ?? { name: null, city: null, lei: null, schemes: {} };
    register.set(key, known);
    return known;
  };
  const read = async <T>(
    dataset: DatasetName,
    parse: (file: string, content: Uint8Array) => T,
  ): Promise<T | undefined> => {
    const edition = editionOn(editions, dataset, day);
    return edition === undefined ? undefined : parse(edition.file, await readEditionFile(folder, edition));
  };
  for (const { bic, name } of clearing ?? []) draftOf(bic).name ??= name;
  for (const [scheme, dataset] of Object.entries(schemeRegisters) as [Scheme, DatasetName][]) {
    for (const { bic, name, ready, leaving } of (await read(dataset, readEpcCsv)) ?? []) {
      const draft = draftOf(bic);
      draft.name ??= name;
      draft.schemes = { ...draft.schemes, [scheme]: { since: ready || null, until: leaving || null } };
    }
  }
  for (const [bic, lei] of (await read("bic-lei", readLeiCsv)) ?? []) draftOf(bic).lei = lei;
  const institutions = (await read("mfi", readMfiCsv)) ?? [];
  for (const { bic, lei } of institutions) if (bic !== "" && lei !== "") draftOf(bic).lei ??= lei;
  const byLei = new Map(institutions.map((institution) => [institution.lei, institution]));
  for (const { bic, name, city } of institutions) {
    if (bic === "") continue;
    const draft = draftOf(bic);
    draft.name ??= name;
    draft.city ??= city || null;
  }
  for (const draft of register.values()) {
    const institution = draft.lei === null ? undefined : byLei.get(draft.lei);
    draft.name ??= institution?.name ?? null;
    draft.city ??= institution?.city || null;
  }
  const loaded = Object.entries(schemeRegisters).flatMap(([scheme, dataset]) => {
    const edition = editionOn(editions, dataset, day);
    return edition === undefined ? [] : [[scheme, edition.validFrom]];
  });
  return { editions: Object.fromEntries(loaded), facts: register };
}
