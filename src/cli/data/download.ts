import { EnvHttpProxyAgent, fetch, ProxyAgent } from "undici";
import { maxSourceBytes } from "../../banks/import/read-bounded.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandFailure } from "../program.ts";

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

  /** @throws {CommandFailure} with the exit code `unreachable`, where there is no whole answer. */
  async get(address: string): Promise<Buffer> {
    try {
      const signal = AbortSignal.timeout(this.#timeout);
      const answer = await fetch(address, { dispatcher: this.#agent, signal });
      if (!answer.ok) throw new Error(`it answers with status ${answer.status}`);
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of answer.body ?? []) {
        pieces.push(piece as Uint8Array);
        bytes += (piece as Uint8Array).length;
        if (bytes > maxSourceBytes) throw new Error("it sends more than a file of bank data can have");
      }
      return Buffer.concat(pieces);
    } catch (error) {
      throw unreachable(`${address} cannot be fetched: ${reasonOf(error as Error)}.`);
    }
  }

  /** Lets go of the connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** A failure of the source; the data is untouched. */
export function unreachable(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.unreachable.code);
}

/** What `fetch` throws says little; its cause says why. */
function reasonOf({ name, message, cause }: Error): string {
  if (name === "TimeoutError") return "it takes too long";
  const { code, message: why } = Object(cause) as { readonly code?: string; readonly message?: string };
  return code ?? why ?? message;
}
