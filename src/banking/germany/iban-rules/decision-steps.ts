import { createGermanAccount, readKontonummer } from "../account.ts";
import { AccountVerdict, checkByMethod, checkMethodVariant } from "../methods.ts";
import { assignedMethodIndex } from "./conditions.ts";
import { withAppended } from "./digits.ts";
import type { StepCompilers } from "./steps.ts";

const scratch = createGermanAccount();

/** The kinds of step that decide whether and how the rule goes on, by name. */
export const decisionSteps: StepCompilers<"refuse" | "accept" | "check" | "fitSubAccount"> = {
  refuse:
    ({ reason }) =>
    () => ({ error: reason }),
  accept: () => () => "accept",
  check: ({ method: named }) => {
    if (named !== undefined) assignedMethodIndex(named);
    return (draft) => {
      const verdict = checkByMethod(named ?? draft.bank?.method ?? "", draft.kontonummer, draft.blz);
      if (verdict === "invalid") return { error: "check_digit" };
      if (verdict === "unknown_method") draft.untested = true;
      return "next";
    };
  },
  fitSubAccount: ({ method, variant, try: candidates }) => {
    const index = assignedMethodIndex(method);
    return (draft) => {
      for (const candidate of candidates) {
        const kontonummer =
          candidate === "asGiven" ? draft.kontonummer : withAppended(draft.kontonummer, "00");
        if (kontonummer !== undefined && fits(index, variant, kontonummer)) {
          draft.kontonummer = kontonummer;
          return "fits";
        }
      }
      return { error: "check_digit" };
    };
  },
};

function fits(methodIndex: number, variant: number, kontonummer: string): boolean {
  readKontonummer(scratch, kontonummer);
  return checkMethodVariant(methodIndex, variant, scratch) === AccountVerdict.valid;
}
