import type { ModulusTable } from "../../banking/national/uk-modulus.ts";

/** Countries whose account checks may be observed instead of enforced. */
export const observableCountries = ["GB", "DE"] as const;

/** How the checks of accounts alone count: the German check-digit methods and the UK modulus check. */
export interface AccountPolicy {
  /** The weights of the UK modulus check, and their first day; undefined if there are none: no account is checked then. */
  readonly weights: () => { readonly edition: string; readonly table: ModulusTable } | undefined;
  /** Country codes in which an account that fails is valid with a warning; everywhere else it is wrong. */
  readonly observed: readonly string[];
}

type Weights = ReturnType<AccountPolicy["weights"]>;

/** The policy by default, without weights. */
export const defaultPolicy: AccountPolicy = { weights: () => undefined, observed: ["GB"] };

/** Packs the weights for `openWeights`; nothing if there are none. */
export function packWeights(dated: Weights): Uint8Array {
  return dated === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(dated));
}

/** Opens packed weights. This costs nothing; their first use unpacks them, some milliseconds and 300 KB in a thread. */
export function openWeights(packed: Uint8Array): AccountPolicy["weights"] {
  let opened: Weights;
  return () => {
    if (packed.length > 0) opened ??= JSON.parse(Buffer.from(packed).toString());
    return opened;
  };
}
