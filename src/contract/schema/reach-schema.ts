const text = (description: string) => ({ type: "string", description }) as const;
const textOrNull = (description: string) => ({ type: ["string", "null"], description }) as const;

const reach = {
  type: ["object", "null"],
  description: "Participation by the scheme's register; null where none is loaded.",
  properties: {
    reachable: { type: "integer", enum: [0, 1], description: "1 for a participant today." },
    since: textOrNull("First day of participation."),
    until: textOrNull("Day of leaving."),
    edition: text("First day of the register."),
  },
  required: ["reachable", "since", "until", "edition"],
  additionalProperties: false,
} as const;

/** Whether a bank can be reached by the schemes beside the four SEPA methods. */
export const sepaReach = {
  title: "SepaReach",
  type: "object",
  description: "Reach by SEPA Instant Credit Transfer and Verification of Payee, by the EPC's registers.",
  properties: { sct_inst: reach, vop: reach },
  required: ["sct_inst", "vop"],
  additionalProperties: false,
} as const;
