import { ModulusEdition } from "./modulus-edition.ts";

/** Countries whose account checks may be observed instead of enforced. */
export const observableCountries = ["GB", "DE"] as const;

/** How the checks of accounts alone count: the German check-digit methods and the UK modulus check. */
export interface AccountPolicy {
  readonly weights: ModulusEdition;
  /** Country codes in which an account that fails is valid with a warning; everywhere else it is wrong. */
  readonly observed: readonly string[];
}

/** The policy by default, without weights: no British account is checked. */
export const defaultPolicy: AccountPolicy = { weights: new ModulusEdition(), observed: ["GB"] };
