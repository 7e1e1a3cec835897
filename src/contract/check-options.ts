/** Name of an option of a check: a switch of the query (`explain=1`). */
export type CheckOptionName = "sepa" | "explain" | "reason" | "suggest" | "lenient" | "reach";

interface CheckOption {
  readonly name: CheckOptionName;
  /** Its bit in the flags of a task. */
  readonly flag: number;
  /** Whether the kernel does not know it, so that the reference answers. */
  readonly needsReference: boolean;
  /** The fields of a stream's lines that need it: naming one in `fields` sets the option. */
  readonly fields: readonly string[];
}

export const checkOptions: readonly CheckOption[] = [
  { name: "sepa", flag: 1, needsReference: false, fields: [] },
  { name: "explain", flag: 2, needsReference: true, fields: ["checks", "messages"] },
  { name: "reason", flag: 4, needsReference: false, fields: ["message", "reason", "severity"] },
  {
    name: "suggest",
    flag: 8,
    needsReference: true,
    fields: ["suggestion", "suggestions", "suggestion_count"],
  },
  { name: "lenient", flag: 16, needsReference: true, fields: [] },
  { name: "reach", flag: 32, needsReference: true, fields: ["sepa_reach"] },
];
