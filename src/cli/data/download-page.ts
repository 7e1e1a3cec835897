import { type Validity, validityInText } from "../../banks/import/validity.ts";

/** A link to a file on a page. */
export interface FileLink {
  readonly address: string;
  /** Days that the link's text tells. */
  readonly validity: Validity | undefined;
}

/**
 * Finds the link to a file on a page by its name; the rest of the address changes with each edition.
 *
 * Links to other hosts are passed over.
 *
 * @param names forms of the file's name, the best first.
 */
export function findLink(page: string, pageAddress: string, names: readonly RegExp[]): FileLink | undefined {
  const links = [...page.matchAll(/href\s*=\s*(["'])(.*?)\1/gis)].flatMap((found) => {
    const address = resolved(found[2]!.replaceAll("&amp;", "&").trim(), pageAddress);
    return address === undefined ? [] : [{ address, behind: found.index + found[0].length }];
  });
  for (const name of names) {
    const link = links.find(({ address }) => name.test(new URL(address).pathname));
    if (link === undefined) continue;
    const { address, behind } = link;
    const end = page.indexOf("</a", behind);
    const text = page.slice(behind, end < 0 ? behind + 500 : end);
    return { address, validity: validityInText(text) };
  }
  return undefined;
}

function resolved(link: string, pageAddress: string): string | undefined {
  if (!URL.canParse(link, pageAddress)) return undefined;
  const address = new URL(link, pageAddress);
  return address.origin === new URL(pageAddress).origin ? address.href : undefined;
}
