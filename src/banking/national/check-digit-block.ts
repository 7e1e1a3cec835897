import type { BbanSpan } from "../iban/bban.ts";

/**
 * A rule for check digits at fixed places of a BBAN, built once when the registry is read.
 *
 * The BBAN must fit its country's structure; for other bytes the answers mean nothing, but nothing is thrown.
 */
export interface CheckDigitBlock {
  /** Whether the check digits are right. `bytes` is ASCII, the BBAN begins at `bbanStart`. No allocation. */
  matches(bytes: Uint8Array, bbanStart: number): boolean;
  /**
   * The check digits that would be right for the rest of the BBAN, those of all spans joined; null where none exist,
   * so that no bank can have issued the number. Allocates the text: for explanations, not for the hot path.
   */
  expected(bytes: Uint8Array, bbanStart: number): string | null;
  /** Where the check digits stand, in order. */
  readonly spans: readonly BbanSpan[];
}
