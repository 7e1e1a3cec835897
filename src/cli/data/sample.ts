import { once } from "node:events";
import { ibanCountries, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { dataFolderOf } from "../../banks/editions/data-folder.ts";
import { berlinDay } from "../../banks/editions/days.ts";
import { loadBankData } from "../../banks/editions/load.ts";
import { samples } from "../../checks/sample-answer.ts";
import { message, textOf } from "../../contract/message.ts";
import { CommandFailure } from "../exit-codes.ts";
import { stateSettings } from "../state-options.ts";

const rowsAtOnce = 1_000;

/** Writes test numbers; the column `genuine` marks each as made up. */
export async function sample(options: { count: number; country?: string; seed: string }): Promise<void> {
  const { count, country: code, seed } = options;
  const country = code === undefined ? undefined : ibanCountryByCode(code.toUpperCase());
  if (code !== undefined && country === undefined) {
    throw new CommandFailure(`${code} is not a country of the IBAN registry.`);
  }
  const { directory, modulus } = await loadBankData(dataFolderOf(stateSettings({})), berlinDay(Date.now()));
  // Every test number passes all checks.
  const base = { directory, policy: { weights: () => modulus, observed: [] } };
  const sources = (country === undefined ? ibanCountries : [country]).map((each) =>
    samples(base, each, seed),
  );
  process.stdout.write("iban,bic,bank,genuine\n");
  for (let done = 0; done < count; ) {
    const rows: string[] = [];
    for (; done < count && rows.length < rowsAtOnce; done++) {
      const made = sources[done % sources.length]!.next().value;
      if (made === undefined) throw new CommandFailure(textOf(message("samples_none"), "en"));
      const { iban, bank } = made;
      rows.push(`${iban},${bank?.bic ?? ""},"${(bank?.name ?? "").replaceAll('"', '""')}",false\n`);
    }
    if (!process.stdout.write(rows.join(""))) await once(process.stdout, "drain");
  }
}
