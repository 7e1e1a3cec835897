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

/** The kernel's list is read again after this many times as long as reading it took: it may cost a twentieth of the time. */
const restPerScan = 20;

/** Addresses that are remembered for each open connection, and without any: those of closed ones go with the next look. */
const addressesPerConnection = 2;
const minAddresses = 1_000;

const established = "01";

/**
 * How many connections each client address has open, bounded.
 *
 * The native layer knows the address of a connection when it opens and not when it closes. So connections are counted up
 * by address and down in all. An address has too many where that is certain: even if all that closed were its own.
 * Where it is not, the kernel's list shows how many it has.
 */
export class AddressCounts {
  readonly #max: number;
  readonly #list: () => Map<string, number>;
  #counts = new Map<string, number>();
  /** Connections that closed since the list was read, whose addresses are not known. */
  #closed = 0;
  /** Connections refused here, which are not counted and will close. */
  #refused = 0;
  #nextScanAt = Number.NEGATIVE_INFINITY;

  /** `max` 0 sets no bound; `list` returns how many connections each address has, as the kernel knows it. */
  constructor(max: number, list: () => Map<string, number>) {
    this.#max = max;
    this.#list = list;
  }

  /** Counts a connection that was opened, and returns whether its address has too many now, so that it must be closed. */
  isTooMany(addressOf: () => string): boolean {
    if (this.#max === 0) return false;
    const address = addressOf();
    const count = () => this.#counts.get(address) ?? 0;
    this.#counts.set(address, count() + 1);
    if (count() <= this.#max) return false;
    if (this.#closed > 0) this.#scan();
    if (count() - this.#closed <= this.#max) return false;
    this.#counts.set(address, count() - 1);
    this.#refused++;
    return true;
  }

  /** Counts a connection that was closed; `open` are left. */
  closed(open: number): void {
    if (this.#max === 0) return;
    if (this.#refused > 0) this.#refused--;
    else this.#closed++;
    if (open === 0) {
      this.#counts.clear();
      this.#closed = 0;
    } else if (this.#counts.size > minAddresses + addressesPerConnection * open) this.#scan();
  }

  #scan(): void {
    const begun = performance.now();
    if (begun < this.#nextScanAt) return;
    this.#counts = this.#list();
    this.#closed = 0;
    const end = performance.now();
    this.#nextScanAt = end + restPerScan * (end - begun);
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
