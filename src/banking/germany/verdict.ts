/**
 * What a check-digit method says of an account number.
 *
 * `unchecked` means the number carries no check digit (method 09, or a range the method exempts):
 * banks use such numbers, nothing about them can be tested.
 */
export const AccountVerdict = { invalid: 0, valid: 1, unchecked: 2 } as const;

/** One of the three verdicts of {@link AccountVerdict}, as a small integer. */
export type AccountVerdict = (typeof AccountVerdict)[keyof typeof AccountVerdict];
