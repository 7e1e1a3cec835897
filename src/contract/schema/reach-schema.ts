import { objectOf, text, textOrNull } from "./parts.ts";

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
export const sepaReach = objectOf(
  { sct_inst: reach, vop: reach },
  {
    title: "SepaReach",
    description: "Reach by SEPA Instant Credit Transfer and Verification of Payee, by the EPC's registers.",
  },
);
