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
import type { DataEdition } from "./manifest.ts";

/** Rows of a list that is read. */
export type Rows = { readonly length: number } | { readonly size: number };

/** Reads the edition of a register that is in use; undefined where there is none. */
export type RegisterReader = <Read extends Rows>(
  dataset: DatasetName,
  parse: (file: string, content: Uint8Array) => Read,
  /** Where to look instead of the data folder. */
  place?: { readonly folder: string; readonly editions: readonly DataEdition[] },
) => Promise<{ readonly edition: string; readonly rows: Read } | undefined>;

type Draft = { -readonly [Field in keyof BicFacts]: BicFacts[Field] };

/**
 * Reads what clearing directory, scheme registers, LEIs and list of institutions say of single BICs, by the BIC of 11
 * characters; empty where none of them is there.
 */
export async function readBicRegister(
  readRegister: RegisterReader,
  clearing: readonly SclEntry[] | undefined,
): Promise<LoadedRegister> {
  const register = new Map<string, Draft>();
  const draftOf = (bic: string): Draft => {
    const key = fullBic(bic);
    const known = register.get(key) ?? { name: null, city: null, lei: null, schemes: {} };
    register.set(key, known);
    return known;
  };
  const editions: Partial<Record<Scheme, string>> = {};
  for (const { bic, name } of clearing ?? []) draftOf(bic).name ??= name;
  for (const [scheme, dataset] of Object.entries(schemeRegisters) as [Scheme, DatasetName][]) {
    const participants = await readRegister(dataset, readEpcCsv);
    if (participants === undefined) continue;
    editions[scheme] = participants.edition;
    for (const { bic, name, ready, leaving } of participants.rows) {
      const draft = draftOf(bic);
      draft.name ??= name;
      draft.schemes = { ...draft.schemes, [scheme]: { since: ready || null, until: leaving || null } };
    }
  }
  for (const [bic, lei] of (await readRegister("bic-lei", readLeiCsv))?.rows ?? []) draftOf(bic).lei = lei;
  const institutions = (await readRegister("mfi", readMfiCsv))?.rows ?? [];
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
  return { editions, facts: register };
}
