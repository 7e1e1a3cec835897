import { textKinds } from "../../banking/reader/kind-of-text.ts";
import { checkNames } from "../messages/check-names.ts";
import { checkResults, type Reason, reasons } from "../status.ts";
import {
  bankBic,
  bankLocation,
  bankName,
  bankZip,
  messagesSchema,
  objectOf,
  text,
  textOrNull,
} from "./parts.ts";
import { accountSuggestionFields, ibanSuggestionFields } from "./suggestion-schemas.ts";

const flag = (description: string) => ({ type: "integer", enum: [0, 1], description });

const reach = {
  ...objectOf(
    {
      reachable: flag("1 if the bank takes part today."),
      since: textOrNull("First day of participation."),
      until: textOrNull("Day of leaving."),
      edition: text("First day of the register."),
    },
    {
      description:
        "Participation of the bank or its head office according to the scheme's register; null if none is loaded or the BIC is not known.",
    },
  ),
  type: ["object", "null"],
};

/** Whether a bank can be reached by the schemes besides the four SEPA methods. */
export const sepaReach = objectOf(
  { sct_inst: reach, vop: reach },
  {
    title: "SepaReach",
    description: "Reach by SEPA Instant Credit Transfer and Verification of Payee, from the EPC's registers.",
  },
);

const reasonWords = Object.keys(reasons) as readonly Reason[];
const reasonMeanings = Object.entries(reasons)
  .map(([reason, meaning]) => `- ${reason}: ${meaning}`)
  .join("\n");

/** The SEPA methods of a bank. */
export const sepaMethods = objectOf(
  {
    sct: flag("SEPA Credit Transfer."),
    sdd: flag("SEPA Direct Debit Core."),
    b2b: flag("SEPA Direct Debit B2B."),
    scc: flag("SEPA Cards Clearing."),
  },
  {
    title: "SepaMethods",
    description:
      "Which SEPA schemes the bank takes part in: 1 for yes, 0 for no; all 0 for an invalid number.",
  },
);

const factSource = (fact: string) => ({
  ...objectOf(
    {
      list: text("Its dataset, its name in data/SOURCES.md, `assumed` or `local`."),
      edition: textOrNull("Its first day or month; null if it names none."),
    },
    { description: `The list that states the ${fact}; null if none does or the fact is not shown.` },
  ),
  type: ["object", "null"],
});

/** The lists that state the facts about a bank. */
export const bankSources = objectOf(
  { name: factSource("name"), bic: factSource("BIC"), schemes: factSource("SEPA methods") },
  { title: "BankSources", description: "Which list states each fact about the bank, and of what date." },
);

/** One check made. */
export const checkEntry = objectOf(
  {
    check: {
      type: "string",
      enum: Object.keys(checkNames),
      description: "What was checked; further names may come.",
    },
    result: {
      type: "string",
      enum: checkResults,
      description: "unknown if the check was not made, because data is missing or an earlier check failed.",
    },
    detail: text("For people: the comparison made, or why none was."),
    messages: messagesSchema("The sentences of detail, by id."),
    position: objectOf(
      {
        start: { type: "integer", minimum: 0, maximum: 33 },
        length: { type: "integer", minimum: 1, maximum: 30 },
      },
      {
        description:
          "The characters checked: zero-based offset and length in the IBAN or the ten-digit account number.",
      },
    ),
    expected: {
      type: "array",
      items: { type: "string" },
      description: "The values that would be right at that position; empty if no value would be.",
    },
  },
  { title: "CheckEntry", description: "One check made and its result; present with explain=1." },
  ["detail", "messages", "position", "expected"],
);

const fields = {
  iban: { type: ["string", "null"], pattern: "^[A-Z0-9]+$" },
  bic: bankBic,
  kto: { type: "string", pattern: "^[0-9]*$" },
  blz: text("Bank code; empty if it is not known or the country has none."),
  bank: bankName,
  zip: bankZip,
  location: bankLocation,
  country: {
    type: "string",
    pattern: "^([A-Z]{2})?$",
    description:
      "ISO 3166-1 alpha-2 code of the bank's country, or of the IBAN's if the bank's is not known; may be empty.",
  },
};

const optionalFields = {
  assumed: {
    type: "boolean",
    const: true,
    description:
      "Only with explain=1 if the ISO check digits are wrong: blz, bank and kto are those of the number as written.",
  },
  reason: {
    type: ["string", "null"],
    enum: [...reasonWords, null],
    description: `Only with reason=1: why the number is not valid, or a warning about a valid one; null if there is neither.\n\n${reasonMeanings}`,
  },
  severity: {
    type: ["string", "null"],
    enum: ["error", "warning", null],
    description:
      "Only with reason=1: error, or warning if something was observed or assumed about a valid number; null without a reason.",
  },
  message: text("Only in the entries of a batch with reason=1: the result for people."),
  checks: {
    type: "array",
    items: checkEntry,
    minItems: 1,
    description: "Every check made, in order; only with explain=1.",
  },
  messages: messagesSchema("The sentences of the answer's message, by id; only with explain=1."),
  sources: bankSources,
};

const accountExtras = { sepa_methods: sepaMethods, ...optionalFields, ...accountSuggestionFields };

/** The `data` object of an account check. Source: interface specification, section "Check data". */
export const accountDataSchema = objectOf(
  {
    ...fields,
    iban: {
      ...fields.iban,
      description:
        "The IBAN generated with sepa=1, null if none may be generated; the bank's IBAN rule may replace account number and bank code in it.",
    },
    kto: { ...fields.kto, description: "The account number as sent." },
    ...accountExtras,
  },
  { title: "AccountCheckData", description: "The account and its bank, as far as known." },
  Object.keys(accountExtras),
);

const ibanExtras = {
  kind: {
    type: "string",
    enum: textKinds,
    description: "Only with explain=1 if the text is something else than an IBAN: what it is.",
  },
  ...optionalFields,
  ...ibanSuggestionFields,
  sepa_reach: sepaReach,
};

/** The `data` object of an IBAN check. Source: interface specification, section "Check data". */
export const ibanDataSchema = objectOf(
  {
    ...fields,
    iban: {
      ...fields.iban,
      description: "The IBAN without spaces, in upper case; null if the text is not an IBAN.",
    },
    kto: { ...fields.kto, description: "The ten-digit account number of a German IBAN; otherwise empty." },
    sepa_methods: sepaMethods,
    ...ibanExtras,
  },
  { title: "IbanCheckData", description: "The IBAN and its bank, as far as known." },
  Object.keys(ibanExtras),
);
