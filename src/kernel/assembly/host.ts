/** Whether a step-by-step check-digit algorithm accepts the account of the German IBAN at `iban`: 1 or 0. */
export declare function acceptsStepwise(algorithm: u32, iban: usize): u32;

/** Whether the national check digits of the BBAN at `bban` are right: 1 or 0. */
export declare function matchesNationally(country: u32, bban: usize): u32;

/** Whether a German account that fails its method is wrong even by the bank's IBAN rule: 1 or 0. */
export declare function rejectsAccount(iban: usize): u32;
