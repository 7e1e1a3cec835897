import { type AnswerOptions, plain } from "../checks/answer.ts";
import { languages } from "../contract/messages.ts";
import { VARIANT_REASONS, VARIANTS } from "./layout.ts";

/** The options of an answer that the kernel knows; each combination has constant pieces of its own. */
export type VariantOptions = Pick<AnswerOptions, "language" | "reason">;

/** Returns the number of a variant of answers. */
export function variantOf({ language, reason }: VariantOptions): number {
  return languages.indexOf(language) + (reason ? VARIANT_REASONS : 0);
}

/** The options of all variants, by number. */
export const variants: readonly AnswerOptions[] = Array.from({ length: VARIANTS }, (_, variant) => ({
  ...plain,
  language: languages[variant % VARIANT_REASONS]!,
  reason: variant >= VARIANT_REASONS,
}));
