import { maxListedBanks, maxSamples, oldFromDays } from "../limits.ts";
import { bankSources, checkEntry, sepaMethods, sepaReach } from "./check-data-schemas.ts";
import {
  answerOf,
  bankName,
  bankTown,
  bankBic as bic,
  component,
  count,
  enumOf,
  foundStatus,
  listOf,
  orNull,
  part,
  text,
  textOrNull,
  truth,
} from "./parts.ts";

const edition = text("First day of the list that contains this.");

const sepa = {
  sepa_methods: { ...orNull(sepaMethods), title: "SepaMethodsOrNull" },
  sepa_source: orNull(
    enumOf(
      ["assumed", "directory", "inherited", "local"],
      "Where sepa_methods come from: known from a clearing directory (directory, or inherited from the head office) or a local entry, or assumed.",
    ),
  ),
};

const bicLookup = answerOf("BicLookupAnswer", "The facts about a BIC.", foundStatus, {
  bic: text("The BIC with 11 characters."),
  institution: text("Its first four characters."),
  country: text("Its fifth and sixth characters."),
  country_name: text("Name of the country."),
  location_code: text("Its seventh and eighth characters."),
  branch: text("Its last three characters; XXX for the head office."),
  is_head_office: truth("Whether this is the BIC of the head office."),
  name: textOrNull("Name of the bank."),
  location: textOrNull("Town of the bank."),
  head_office: orNull(
    part("The head office; null if its BIC is not known.", {
      bic: text("Its BIC."),
      name: textOrNull("Its name."),
      location: textOrNull("Its town."),
    }),
  ),
  banks: listOf(
    component("BicUser", "A bank code that uses the BIC.", {
      country: text("Country of the bank code."),
      bank_code: text("Bank code as in the country's IBANs."),
      bank: text("Name of the bank."),
      ...bankTown,
      edition,
    }),
    `Bank codes that use the BIC, at most ${maxListedBanks}.`,
  ),
  bank_count: count("Number of bank codes that use it."),
  ...sepa,
  sepa_reach: sepaReach,
  edition: text("Edition of the bank data."),
});

const bankLookup = answerOf("BankLookupAnswer", "The facts about a bank code.", foundStatus, {
  country: text("Country."),
  country_name: text("Name of the country."),
  bank_code: text("Bank code, with its leading zeros."),
  bank: bankName,
  short_name: textOrNull("Short name."),
  bic,
  bics: listOf({ type: "string" }, "All BICs known for the bank code."),
  ...bankTown,
  check_digit_method: textOrNull("German check-digit method."),
  iban_rule: textOrNull("German IBAN rule with its version."),
  iban_rule_source: textOrNull("published or inferred."),
  deletion_marked: orNull(truth("Whether a German bank code is marked for deletion.")),
  successor: textOrNull("The bank code that replaces this one, or the name of its bank; null if none does."),
  ...sepa,
  sepa_reach: sepaReach,
  edition,
  sources: bankSources,
});

const composedIban = answerOf(
  "ComposedIbanAnswer",
  "An IBAN composed of its parts.",
  enumOf([0, 1], "1 if the composed IBAN is valid; otherwise there is none."),
  {
    iban: textOrNull("The IBAN; null if it cannot be composed of the parts."),
    country: text("Country."),
    bank_code: text("Bank code in the IBAN; a German IBAN rule may have replaced it."),
    branch_code: text("Branch code in the IBAN; empty if the country has none."),
    account: text("Account number; a German IBAN rule may have replaced it."),
    bank: bankName,
    bic,
    not_checked: listOf({ type: "string" }, "Checks that could not be made, or do not exist in the country."),
    checks: listOf(checkEntry, "Every check made on the result."),
  },
);

const samples = answerOf(
  "SamplesAnswer",
  "Made-up test numbers.",
  enumOf([0, 1], "1; 0 where the bank data allows no IBAN at any bank of the country."),
  {
    genuine: { type: "boolean", enum: [false], description: "Always false: the numbers are made up." },
    country: text("Country."),
    seed: text("The seed that reproduces these numbers."),
    edition,
    samples: listOf(
      component("Sample", "A test number.", {
        iban: text("An IBAN that passes every check."),
        bank: text("Name of its bank; empty if no bank of the country is known."),
        bic,
        ...sepa,
      }),
      "The test numbers.",
      maxSamples,
    ),
  },
);

const dataset = text("The dataset of the list, as named by `bankcheck data stats`.");
const ageDays = { type: ["integer", "null"], description: "Days since then." };
const old = `Whether it is at least ${oldFromDays} days old`;
const nextEdition = textOrNull("First day of the next stored edition.");

const bankData = component("BankDataAnswer", "The lists of bank data in use.", {
  edition: text("First day on which the German bank codes are valid."),
  lists: listOf(
    component("BankList", "The list of a country's banks.", {
      country: text("Country."),
      dataset,
      edition: textOrNull("First day or month of the list; null if its source states none."),
      age_days: ageDays,
      is_old: truth(`${old}, or of unknown age.`),
      valid_until: textOrNull("Last day of the list; null if its source states none."),
      next_edition: nextEdition,
      rows: count("Bank codes."),
      with_bic: count("Bank codes with a BIC."),
      completeness: orNull(enumOf(["complete", "partial", "stub"], "How complete the list is.")),
    }),
    "Lists of banks, by country.",
  ),
  registers: listOf(
    component("RegisterList", "A list that is not of one country's banks.", {
      dataset,
      title: text("Its name in words."),
      edition: text("First day or month of the list."),
      age_days: ageDays,
      is_old: truth(`${old}.`),
      next_edition: nextEdition,
      rows: count("Entries."),
    }),
    "Lists in use other than those of a country's banks.",
  ),
  assumed_sepa_edition: text(
    "First day of the clearing directory in which the majority of a country's banks had the SEPA methods that are assumed of the others.",
  ),
});

export const directorySchemas = { bicLookup, bankLookup, composedIban, samples, bankData };
