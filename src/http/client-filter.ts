import { BlockList, isIP } from "node:net";
import { SettingError } from "../settings.ts";

/** Decides which client addresses are served. */
export type ClientFilter = (address: string) => boolean;

/**
 * Makes the filter for a list of addresses and networks (`10.0.0.0/8,::1`); an empty list serves everybody.
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
        `ALLOW_FROM holds ${JSON.stringify(entry)}, which is not an address or network.`,
      );
    }
    served.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && served.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}
