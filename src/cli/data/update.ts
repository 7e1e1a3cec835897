import { basename } from "node:path";
import { validityInText } from "../../banks/editions/days.ts";
import type { ImportSource } from "../../banks/import/import-file.ts";
import { CommandFailure, expectedFailure } from "../exit-codes.ts";
import { agentOfProxy, proxyAgent, proxyNote } from "../proxy.ts";
import { download, unreachable } from "./download.ts";
import { type DataContext, type ImportOptions, importSource, reportProgress } from "./import.ts";

export interface UpdateOptions extends Pick<ImportOptions, "force" | "dryRun"> {
  /** Names of `issuers`, separated by commas, or `all`. */
  readonly issuers: string;
  readonly source?: string;
  readonly proxy?: string;
  readonly timeout: number;
}

type Download = (address: string) => Promise<Buffer>;

const bundesbank = "https://www.bundesbank.de";

const downloadPage =
  "/de/aufgaben/unbarer-zahlungsverkehr/serviceangebot/bankleitzahlen/download-bankleitzahlen-602592";

/** The XML form comes first since it contains its own days. */
const blzNames = (edition: string) =>
  ["xml-data\\.xml", "txt-data\\.txt", "csv-data\\.csv"].map(
    (form) => new RegExp(`/blz-${edition}-${form}$`),
  );

/** The files of the Bundesbank by their pages, and the forms of their names. */
const wantedFiles = [
  { title: "the bank codes", page: downloadPage, names: blzNames("aktuell"), isOptional: false },
  { title: "the next bank codes", page: downloadPage, names: blzNames("neu"), isOptional: true },
  {
    title: "the SEPA services",
    page: "/de/startseite/verzeichnis-der-erreichbaren-zahlungsdienstleister-list-of-reachable-payment-service-providers-602880",
    names: [/\/verzeichnis-der-erreichbaren-zahlungsdienstleister[^/]*\.csv$/, /\/scl[^/]*\.csv$/],
    isOptional: false,
  },
];

/** Lists that issuers publish at addresses that do not change. */
const stableAddresses: Readonly<Record<string, readonly string[]>> = {
  oenb: ["https://www.oenb.at/docroot/downloads_observ/sepa-zv-vz_gesamt.csv"],
  nbb: ["https://www.nbb.be/doc/be/be/protocol/full_list_current.xlsx"],
  six: ["https://api.six-group.com/api/epcd/bankmaster/v3/bankmaster_V3.csv"],
  cnb: ["https://www.cnb.cz/cs/platebni-styk/.galleries/ucty_kody_bank/download/kody_bank_CR.csv"],
  nbp: ["https://ewib.nbp.pl/plewibnra?dokNazwa=plewibnra.txt"],
  betaalvereniging: ["https://www.betaalvereniging.nl/wp-content/uploads/BIC-lijst-NL.xlsx"],
  epc: ["sct", "sct_inst", "sdd_core", "sdd_b2b", "vop"].map(
    (scheme) =>
      `https://www.europeanpaymentscouncil.eu/sites/default/files/participants_export/${scheme}/${scheme}.csv`,
  ),
};

export const issuers: readonly string[] = ["bundesbank", ...Object.keys(stableAddresses)];

/**
 * Fetches and imports what issuers publish; of each issuer all files, or none. If that fails with one of several, the others
 * are still updated.
 */
export async function update(context: DataContext, options: UpdateOptions): Promise<void> {
  const { source, proxy, timeout } = options;
  if (source !== undefined && (!/^https?:\/\//.test(source) || !URL.canParse(source))) {
    throw new CommandFailure("--source must be an address, as in https://host.");
  }
  const wanted = options.issuers === "all" ? issuers : options.issuers.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !issuers.includes(name));
  if (unknown !== undefined)
    throw new CommandFailure(`Unknown issuer ${unknown}; the issuers are ${issuers.join(", ")}.`);
  const agent = proxy === undefined ? proxyAgent() : agentOfProxy("--proxy", proxy);
  const note = proxy === undefined ? proxyNote : () => " (--proxy names a proxy)";
  const get: Download = (address) => download(address, agent, timeout, note(address));
  try {
    const failed: CommandFailure[] = [];
    for (const issuer of wanted) {
      try {
        const files = Object.hasOwn(stableAddresses, issuer)
          ? await fetchStable(get, issuer, source, context.today)
          : await fetchAll(get, source ?? bundesbank);
        for (const file of files) await importSource(context, file, options);
      } catch (error) {
        const failure = expectedFailure(error);
        if (wanted.length === 1 || failure === undefined) throw error;
        process.stderr.write(`${issuer} could not be updated: ${failure.message}\n`);
        failed.push(failure);
      }
    }
    if (failed.length === 0) return;
    const message = `${failed.length} of ${wanted.length} issuers could not be updated.`;
    throw new CommandFailure(message, failed[0]!.exitCode);
  } finally {
    await agent.destroy();
  }
}

/** Fetches lists from their addresses, or those of another host that has them under the same paths. */
async function fetchStable(
  get: Download,
  issuer: string,
  source: string | undefined,
  today: string,
): Promise<ImportSource[]> {
  const sources: ImportSource[] = [];
  for (const known of stableAddresses[issuer]!) {
    const address = source === undefined ? known : known.replace(/^https:\/\/[^/]+/, new URL(source).origin);
    reportProgress(`fetching ${address}`);
    const file = basename(new URL(known).pathname);
    // A name without an ending says nothing of its issuer.
    const name = file.includes(".") ? file : `${issuer}-${file}`;
    sources.push({ name, content: await get(address), fetchedOn: today });
  }
  return sources;
}

async function fetchAll(get: Download, source: string): Promise<ImportSource[]> {
  const pages = new Map<string, Buffer>();
  const sources: ImportSource[] = [];
  for (const { title, page, names, isOptional } of wantedFiles) {
    const pageAddress = new URL(page, source).href;
    reportProgress(`${title}: looking at ${pageAddress}`);
    const content = pages.get(page) ?? (await get(pageAddress));
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
    const { address, validity } = link;
    reportProgress(`${title}: fetching ${address.href}`);
    sources.push({ name: address.pathname, content: await get(address.href), validity });
  }
  return sources;
}

const maxLinkText = 2_000;

/**
 * Finds the link to a file of the page's own host by its name, of whose forms the best comes first; the rest of the address
 * changes with each edition.
 */
function findLink(page: string, pageAddress: string, names: readonly RegExp[]) {
  const links = [...page.matchAll(/href\s*=\s*(["'])(.*?)\1/gis)].flatMap((found) => {
    const link = found[2]!.replaceAll("&amp;", "&").trim();
    const address = URL.canParse(link, pageAddress) ? new URL(link, pageAddress) : undefined;
    if (address?.origin !== new URL(pageAddress).origin) return [];
    const end = found.index + found[0].length;
    const [text = ""] = page.slice(end, end + maxLinkText).split("</a", 1);
    return [{ address, validity: validityInText(text) }];
  });
  return names
    .map((name) => links.find(({ address }) => name.test(address.pathname)))
    .find((link) => link !== undefined);
}
