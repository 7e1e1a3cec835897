/** Splits a text at white space: for lists of words that would take a line each. */
export function words({ raw }: TemplateStringsArray): readonly string[] {
  return raw.join("").trim().split(/\s+/);
}
