import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { SettingError } from "../settings.ts";

/** Decides which client addresses are served. */
export type ClientFilter = (address: string) => boolean;

/**
 * Returns the filter for a list of addresses and networks (`10.0.0.0/8,::1`); an empty list admits all.
 *
 * Throws a SettingError for an entry that is neither.
 */
export function clientFilter(allowFrom: string): ClientFilter | undefined {
  if (allowFrom === "") return undefined;
  const served = new BlockList();
  for (const entry of allowFrom.split(",")) {
    const [address = "", prefix] = entry.split("/");
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || length > bits) {
      throw new SettingError(
        `ALLOW_FROM contains ${JSON.stringify(entry)}, which is not an address or network.`,
      );
    }
    served.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && served.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}

/** How long the kernel's list of connections is considered current. */
const scanIntervalMs = 250;

const established = "01";

/**
 * How many connections each client address has open, bounded.
 *
 * The native layer knows the address of a connection when it opens and not when it closes. So connections are
 * counted up, and the kernel's own list is read where an address seems to have too many.
 */
export class AddressCounts {
  readonly #max: number;
  readonly #port: () => number;
  #counts = new Map<string, number>();
  #scannedAt = Number.NEGATIVE_INFINITY;

  /** `max` 0 sets no bound; `port` is that of the service. */
  constructor(max: number, port: () => number) {
    this.#max = max;
    this.#port = port;
  }

  /** Counts a connection that was opened, and returns whether its address has too many now. */
  isTooMany(addressOf: () => string): boolean {
    if (this.#max === 0) return false;
    const address = addressOf();
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    if (count <= this.#max) return false;
    const now = performance.now();
    if (now - this.#scannedAt > scanIntervalMs) {
      this.#scannedAt = now;
      this.#counts = connectionsByAddress(this.#port());
    }
    return (this.#counts.get(address) ?? 0) > this.#max;
  }
}

/** Counts the open connections to a local port by client address, as Linux lists them; empty elsewhere. */
export function connectionsByAddress(port: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of ["tcp", "tcp6"]) {
    for (const line of listOf(file)) {
      const [, local = "", remote = "", state] = line.trim().split(/\s+/, 4);
      if (state !== established || Number.parseInt(local.split(":")[1] ?? "", 16) !== port) continue;
      const address = addressText(remote.split(":")[0]!);
      counts.set(address, (counts.get(address) ?? 0) + 1);
    }
  }
  return counts;
}

function listOf(file: string): readonly string[] {
  try {
    return readFileSync(`/proc/self/net/${file}`, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
}

/** Writes an address of the kernel's list, 32-bit words with their bytes reversed, as the native layer does. */
function addressText(hex: string): string {
  const bytes = Buffer.from(hex, "hex").swap32();
  if (bytes.length === 4) return bytes.join(".");
  return (bytes.toString("hex").match(/.{4}/g) ?? []).join(":");
}
