import type { BicFacts, RegisterEditions, Scheme } from "../banks/lookup/bic-register.ts";

/** The schemes whose reach is told beside the four specified SEPA methods. */
const reachSchemes = ["sct_inst", "vop"] as const satisfies readonly Scheme[];

/** Whether a bank takes part in a scheme, as the register of an edition says. */
interface Reach {
  /** 1 on the days from `since` to before `until`; 0 also where the register does not list the bank. */
  readonly reachable: 0 | 1;
  readonly since: string | null;
  readonly until: string | null;
  /** First day of the register. */
  readonly edition: string;
}

/** Returns the reach of a BIC by scheme, null where no register of the scheme is loaded; `today` is a day in Berlin. */
export function reachOf(
  editions: RegisterEditions,
  facts: BicFacts | undefined,
  today: string,
): Readonly<Record<(typeof reachSchemes)[number], Reach | null>> {
  const of = (scheme: Scheme): Reach | null => {
    const edition = editions[scheme];
    if (edition === undefined) return null;
    const { since, until } = facts?.schemes[scheme] ?? { since: null, until: null };
    const isListed = facts?.schemes[scheme] !== undefined;
    const isMember = isListed && (since === null || since <= today) && (until === null || today < until);
    return { reachable: isMember ? 1 : 0, since, until, edition };
  };
  return { sct_inst: of("sct_inst"), vop: of("vop") };
}
