import { gunzipSync } from "node:zlib";
import { EnvHttpProxyAgent, ProxyAgent, request } from "undici";
import { type Validity, validityInText } from "../../banks/editions/days.ts";
import { maxSourceBytes } from "../../banks/import/archive.ts";
import { productVersion } from "../../process/facts.ts";
import { CommandFailure, exitCodes } from "../program.ts";

const maxRedirects = 5;
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/** Fetches addresses with limits of time and size. */
export class Downloader {
  readonly #agent: EnvHttpProxyAgent | ProxyAgent;
  readonly #timeout: number;

  /** @param timeout in milliseconds, for each download as a whole. */
  constructor(proxy: string | undefined, timeout: number) {
    try {
      this.#agent = proxy === undefined ? new EnvHttpProxyAgent() : new ProxyAgent(proxy);
    } catch {
      throw new CommandFailure("The proxy is not an address.", exitCodes.unusable.code);
    }
    this.#timeout = timeout;
  }

  /**
   * Fetches a file, over up to five redirects, compressed with gzip or not.
   *
   * @throws {CommandFailure} with the exit code `unreachable`, where there is no whole answer.
   */
  async get(address: string): Promise<Buffer> {
    try {
      const signal = AbortSignal.timeout(this.#timeout);
      let place = new URL(address);
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        // Lower than fetch, which takes compressed content that was cut off for whole.
        const answer = await request(place, {
          dispatcher: this.#agent,
          signal,
          headers: { "Accept-Encoding": "gzip", "User-Agent": `bankcheck/${productVersion}` },
        });
        const { statusCode, headers, body } = answer;
        const next = redirectStatuses.includes(statusCode) ? headers["location"] : undefined;
        if (typeof next === "string") {
          await body.dump();
          place = new URL(next, place);
          if (address.startsWith("https:") && place.protocol !== "https:") {
            throw new Error(`it redirects to ${place.href}, which is not encrypted`);
          }
          continue;
        }
        if (statusCode !== 200) throw new Error(`it answers with status ${statusCode}`);
        const content = await wholeOf(body);
        return headers["content-encoding"] === "gzip" ? unpacked(content) : content;
      }
      throw new Error(`it redirects more than ${maxRedirects} times`);
    } catch (error) {
      throw unreachable(`${address} cannot be fetched: ${reasonOf(error as Error)}.`);
    }
  }

  /** Closes the connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxSourceBytes) throw tooMuch();
  }
  return Buffer.concat(pieces);
}

function unpacked(content: Buffer): Buffer {
  try {
    return gunzipSync(content, { maxOutputLength: maxSourceBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE"
      ? tooMuch()
      : new Error("its compressed answer is damaged or cut off");
  }
}

function tooMuch(): Error {
  return new Error("it sends more than a file of bank data can have");
}

/** A failure of the source; the data is untouched. */
export function unreachable(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.unreachable.code);
}

/** Names system errors by their code. */
function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return "it takes too long";
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith("E") ? code : error.message;
}

/** A link to a file on a page. */
export interface FileLink {
  readonly address: string;
  /** Days that the link's text contains. */
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
    return address === undefined ? [] : [{ address, end: found.index + found[0].length }];
  });
  for (const name of names) {
    const link = links.find(({ address }) => name.test(new URL(address).pathname));
    if (link === undefined) continue;
    const { address, end: begin } = link;
    const end = page.indexOf("</a", begin);
    const text = page.slice(begin, end < 0 ? begin + 500 : end);
    return { address, validity: validityInText(text) };
  }
  return undefined;
}

function resolved(link: string, pageAddress: string): string | undefined {
  if (!URL.canParse(link, pageAddress)) return undefined;
  const address = new URL(link, pageAddress);
  return address.origin === new URL(pageAddress).origin ? address.href : undefined;
}
