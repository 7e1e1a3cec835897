import { basename } from "node:path";
import type { ImportSource } from "../../banks/import/import-file.ts";
import { CommandFailure, exitCodes } from "../program.ts";
import { dataFailure } from "../state-settings.ts";
import type { DataPlace } from "./command.ts";
import { Downloader, findLink, unreachable } from "./download.ts";
import { importSource, reportProgress } from "./import.ts";

/** How data is updated. */
export interface UpdateOptions {
  /** Names of `issuers`, separated by commas, or `all`. */
  readonly issuers: string;
  readonly source?: string;
  readonly proxy?: string;
  readonly timeout: number;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

const bundesbank = "https://www.bundesbank.de";

/** A file that a page of the source links to. */
interface WantedFile {
  readonly title: string;
  readonly page: string;
  /** Forms of its name; the XML form comes first since it contains its own days. */
  readonly names: readonly RegExp[];
  readonly isOptional?: boolean;
}

const downloadPage =
  "/de/aufgaben/unbarer-zahlungsverkehr/serviceangebot/bankleitzahlen/download-bankleitzahlen-602592";
const blzNames = (edition: string) =>
  ["xml-data\\.xml", "txt-data\\.txt", "csv-data\\.csv"].map(
    (form) => new RegExp(`/blz-${edition}-${form}$`),
  );

const wantedFiles: readonly WantedFile[] = [
  { title: "the bank codes", page: downloadPage, names: blzNames("aktuell") },
  { title: "the next bank codes", page: downloadPage, names: blzNames("neu"), isOptional: true },
  {
    title: "the SEPA services",
    page: "/de/startseite/verzeichnis-der-erreichbaren-zahlungsdienstleister-list-of-reachable-payment-service-providers-602880",
    names: [/\/verzeichnis-der-erreichbaren-zahlungsdienstleister[^/]*\.csv$/, /\/scl[^/]*\.csv$/],
  },
];

/** Lists that issuers publish at addresses that do not change. */
const stableAddresses: Readonly<Record<string, readonly string[]>> = {
  oenb: ["https://www.oenb.at/docroot/downloads_observ/sepa-zv-vz_gesamt.csv"],
  nbb: ["https://www.nbb.be/doc/be/be/protocol/full_list_current.xlsx"],
  six: ["https://api.six-group.com/api/epcd/bankmaster/v3/bankmaster_V3.csv"],
  cnb: ["https://www.cnb.cz/cs/platebni-styk/.galleries/ucty_kody_bank/download/kody_bank_CR.csv"],
  nbp: ["https://ewib.nbp.pl/plewibnra?dokNazwa=plewibnra.txt"],
  gleif: ["https://mapping.gleif.org/api/v2/bic-lei/latest/download"],
  betaalvereniging: ["https://www.betaalvereniging.nl/wp-content/uploads/BIC-lijst-NL.xlsx"],
  epc: ["sct", "sct_inst", "sdd_core", "sdd_b2b", "vop"].map(
    (scheme) =>
      `https://www.europeanpaymentscouncil.eu/sites/default/files/participants_export/${scheme}/${scheme}.csv`,
  ),
};

/** Where updates can come from. */
export const issuers: readonly string[] = ["bundesbank", ...Object.keys(stableAddresses)];

/**
 * Fetches and imports what issuers publish; of each issuer all files, or none.
 *
 * @throws {CommandFailure} where that fails; of several issuers the others are updated all the same.
 */
export async function update(place: DataPlace, options: UpdateOptions): Promise<void> {
  const { source, proxy, timeout } = options;
  if (source !== undefined && (!/^https?:\/\//.test(source) || !URL.canParse(source))) {
    throw new CommandFailure("The source is not an address like https://host.", exitCodes.unusable.code);
  }
  const wanted = options.issuers === "all" ? issuers : options.issuers.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !issuers.includes(name));
  if (unknown !== undefined) {
    const message = `Unknown issuer ${unknown}; the issuers are ${issuers.join(", ")}.`;
    throw new CommandFailure(message, exitCodes.unusable.code);
  }
  const downloader = new Downloader(proxy, timeout);
  try {
    const failed: CommandFailure[] = [];
    for (const issuer of wanted) {
      const addresses = stableAddresses[issuer];
      try {
        const files =
          addresses === undefined
            ? await fetchAll(downloader, source ?? bundesbank)
            : await fetchStable(downloader, addresses, source, place.today);
        for (const file of files) await importSource(place, file, options);
      } catch (error) {
        const failure = dataFailure(error);
        if (wanted.length === 1 || failure === undefined) throw error;
        process.stderr.write(`${issuer} is not updated: ${failure.message}\n`);
        failed.push(failure);
      }
    }
    if (failed.length === 0) return;
    const message = `${failed.length} of ${wanted.length} issuers could not be updated.`;
    throw new CommandFailure(message, failed[0]!.exitCode);
  } finally {
    await downloader.close();
  }
}

/** Fetches lists from their addresses, or those of another host that has them under the same paths. */
async function fetchStable(
  downloader: Downloader,
  addresses: readonly string[],
  source: string | undefined,
  today: string,
): Promise<ImportSource[]> {
  const sources: ImportSource[] = [];
  for (const known of addresses) {
    const address = source === undefined ? known : known.replace(/^https:\/\/[^/]+/, new URL(source).origin);
    reportProgress(`fetching ${address}`);
    const { pathname } = new URL(known);
    sources.push({ name: basename(pathname), content: await downloader.get(address), fetchedOn: today });
  }
  return sources;
}

async function fetchAll(downloader: Downloader, source: string): Promise<ImportSource[]> {
  const pages = new Map<string, Buffer>();
  const sources: ImportSource[] = [];
  for (const { title, page, names, isOptional = false } of wantedFiles) {
    const pageAddress = new URL(page, source).href;
    reportProgress(`${title}: looking at ${pageAddress}`);
    const content = pages.get(page) ?? (await downloader.get(pageAddress));
    pages.set(page, content);
    // The address may lead to the file at once.
    if (/^Gueltig ab/.test(content.toString("latin1", 0, 20))) {
      sources.push({ name: "verzeichnis-der-erreichbaren-zahlungsdienstleister-data.csv", content });
      continue;
    }
    const link =
      findLink(content.toString("utf8"), pageAddress, names) ??
      findLink(pages.get(downloadPage)!.toString("utf8"), pageAddress, names);
    if (link === undefined) {
      if (isOptional) continue;
      throw unreachable(`${pageAddress} has no link to ${title}: the page has changed.`);
    }
    reportProgress(`${title}: fetching ${link.address}`);
    const { address, validity } = link;
    sources.push({ name: new URL(address).pathname, content: await downloader.get(address), validity });
  }
  return sources;
}
