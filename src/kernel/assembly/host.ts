/** Whether a step-by-step check-digit algorithm accepts the account of the German IBAN at `iban`: 1 or 0. */
export declare function acceptsStepwise(algorithm: u32, iban: usize): u32;

/** Whether a check of the country's own rejects the well-formed IBAN at `iban`: 1 or 0. */
export declare function rejectsByCountry(country: u32, iban: usize): u32;

/** Index of the warning that a check of the country's own has for the valid IBAN at `iban`, -1 where there is none. */
export declare function warningOfCountry(country: u32, iban: usize): i32;

/** Whether a German account that fails its method is wrong even by the bank's IBAN rule: 1 or 0. */
export declare function rejectsAccount(iban: usize): u32;
