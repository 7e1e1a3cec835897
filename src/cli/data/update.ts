import type { ImportSource } from "../../banks/import/import-file.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";
import type { DataPlace } from "./command.ts";
import { Downloader, unreachable } from "./download.ts";
import { findLink } from "./download-page.ts";
import { importSource, tellProgress } from "./import.ts";

/** How data is updated. */
export interface UpdateOptions {
  readonly source: string;
  readonly proxy?: string;
  readonly timeout: number;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** A file that a page of the source links to. */
interface WantedFile {
  readonly title: string;
  readonly page: string;
  /** Forms of its name; the XML form comes first since it tells its own days. */
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

/** Fetches all files first, and imports them when all are there. */
export async function update(place: DataPlace, options: UpdateOptions): Promise<void> {
  const { source, proxy, timeout } = options;
  if (!/^https?:\/\//.test(source) || !URL.canParse(source)) {
    throw new CommandFailure("The source is no address like https://host.", exitCodes.unusable.code);
  }
  const downloader = new Downloader(proxy, timeout);
  try {
    for (const file of await fetchAll(downloader, source)) await importSource(place, file, options);
  } finally {
    await downloader.close();
  }
}

async function fetchAll(downloader: Downloader, source: string): Promise<ImportSource[]> {
  const pages = new Map<string, Buffer>();
  const sources: ImportSource[] = [];
  for (const { title, page, names, isOptional = false } of wantedFiles) {
    const pageAddress = new URL(page, source).href;
    tellProgress(`${title}: looking at ${pageAddress}`);
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
    tellProgress(`${title}: fetching ${link.address}`);
    const { address, validity } = link;
    sources.push({ name: new URL(address).pathname, content: await downloader.get(address), validity });
  }
  return sources;
}
