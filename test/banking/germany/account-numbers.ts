import fc from "fast-check";
import { words } from "../../support/words.ts";

// Beginnings and account types on which definitions branch; plain random numbers rarely meet them.
const beginnings = words`
  9 99 00 009 0099 00990 0185125434 02695 09 000912 31 3101 40 48 49 51 55 57 61 69 70 73 777777 888888 901 93 94 97
`;

/** Account numbers of ten digits that go every way through the check-digit methods. */
export const accountNumbers = fc
  .record({
    beginning: fc.oneof(fc.constant(""), fc.constantFrom(...beginnings)),
    rest: fc.stringMatching(/^\d{10}$/),
    zeros: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })),
  })
  .map(({ beginning, rest, zeros }) => ("0".repeat(zeros) + beginning + rest).slice(0, 10));
