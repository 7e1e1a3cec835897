import { headOfficeBic } from "../banking/bic.ts";
import type { Edition } from "../banks/editions/edition-file.ts";
import { type BicRegister, factsOfBic, type Scheme } from "../banks/lookup/bics.ts";
import type { SepaReach } from "../contract/api-types.ts";

/**
 * Returns the reach of a bank by scheme; `bic` is null if it is not known, `today` is a day in Berlin.
 *
 * The registers list participants: a branch that they do not list has the reach of its head office, as with SEPA flags
 * of a clearing directory. A bank is reachable on the days from `since` to before `until`. Null without a BIC, and if no
 * register of the scheme is loaded.
 */
export function reachOf(register: BicRegister, bic: string | null, today: string): SepaReach {
  const facts = bic === null ? [] : [bic, headOfficeBic(bic)].map((one) => factsOfBic(register, one));
  const of = (scheme: Scheme) => {
    const edition = register.editions[scheme];
    if (edition === undefined || bic === null) return null;
    const term = facts.find((known) => known?.schemes[scheme] !== undefined)?.schemes[scheme];
    const { since, until } = term ?? { since: null, until: null };
    const isMember =
      term !== undefined && (since === null || since <= today) && (until === null || today < until);
    return { reachable: isMember ? 1 : 0, since, until, edition } as const;
  };
  return { sct_inst: of("sct_inst"), vop: of("vop") };
}

export type LookupBase = Pick<Edition, "directory" | "register">;
