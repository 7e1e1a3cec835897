import { type Dispatcher, request } from "undici";
import { DataFileError } from "../../banks/files/data-file.ts";
import { allBytes, maxSourceBytes, readGzip } from "../../banks/import/archive.ts";
import { productVersion } from "../../settings.ts";
import { CommandFailure, exitCodes } from "../exit-codes.ts";

const maxRedirects = 5;

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Fetches a file, over up to five redirects, compressed with gzip or not. Throws a CommandFailure where there is no whole
 * answer within `timeout`, in milliseconds; `note` is what it says of the proxy.
 */
export async function download(
  address: string,
  dispatcher: Dispatcher,
  timeout: number,
  note: string,
): Promise<Buffer> {
  try {
    const signal = AbortSignal.timeout(timeout);
    let target = new URL(address);
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      // Lower than fetch, which takes compressed content that was cut off for whole.
      const { statusCode, headers, body } = await request(target, {
        dispatcher,
        signal,
        headers: { "Accept-Encoding": "gzip", "User-Agent": `bankcheck/${productVersion}` },
      });
      const next = redirectStatuses.includes(statusCode) ? headers["location"] : undefined;
      if (typeof next === "string") {
        await body.dump();
        target = new URL(next, target);
        if (address.startsWith("https:") && target.protocol !== "https:") {
          throw new Error(`it redirects to ${target.href}, which is not encrypted`);
        }
        continue;
      }
      if (statusCode !== 200) throw new Error(`it answers with status ${statusCode}`);
      const tooMuch = () => new Error("it sends more than a file of bank data can have");
      const content = await allBytes(body, maxSourceBytes, tooMuch);
      return headers["content-encoding"] === "gzip" ? readGzip(address, content) : content;
    }
    throw new Error(`it redirects more than ${maxRedirects} times`);
  } catch (error) {
    throw unreachable(`${address} cannot be fetched: ${reasonOf(error as Error)}${note}.`);
  }
}

export function unreachable(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.unreachable.code);
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return "it takes too long";
  if (error instanceof DataFileError) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  return code?.startsWith("E") ? code : error.message;
}
