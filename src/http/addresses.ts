import { BlockList, isIP } from "node:net";
import { SettingError } from "../settings.ts";
import type { NativeResponse } from "./native.ts";

export type ClientFilter = (address: string) => boolean;

/**
 * Returns the filter for a list of addresses and networks (`10.0.0.0/8,::1`); an empty list admits all.
 *
 * Throws a SettingError for an entry that is neither.
 */
export function clientFilter(allowFrom: string): ClientFilter | undefined {
  if (allowFrom === "") return undefined;
  const served = new BlockList();
  const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
  for (const entry of allowFrom.split(",")) {
    const [address = "", prefix] = entry.split("/");
    const family = familyOf(address);
    try {
      served.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
    } catch {
      throw new SettingError(
        `ALLOW_FROM contains ${JSON.stringify(entry)}, which is not an address or network.`,
      );
    }
  }
  return (address) => isIP(address) !== 0 && served.check(address, familyOf(address));
}

/** Returns the address of a client as text, empty if it has reset the connection. Only valid while its connection is open. */
export function addressOf(connection: NativeResponse): string {
  return Buffer.from(connection.getRemoteAddressAsText()).toString("latin1");
}

/**
 * How many connections each client address has open, at most `max`.
 *
 * The native layer does not know the address of a connection any more when it reports its end. What it calls right
 * after that is the callback for an aborted request, which an answer removes. So there is always one that knows the
 * address: set when the connection opens, replaced by that of a request, and set again with its answer. The answered
 * response is void by then, so it is set on another one: a handler that yields has a response of its own, which is not.
 */
export function addressCounts(max: number) {
  const counts = new Map<string, number>();
  /** Whether a connection was closed whose address no callback has reported yet. */
  let isUnreported = false;
  /** What ends the request that the next handler answers. */
  let yielded: ((isClosed: boolean) => void) | undefined;

  function closed(address: string): void {
    isUnreported = false;
    const count = counts.get(address)! - 1;
    if (count > 0) counts.set(address, count);
    else counts.delete(address);
  }

  return {
    /** Counts a connection that was opened, and returns what its closing must call; closes it if its address has too many. */
    opened: (connection: NativeResponse) => {
      const address = addressOf(connection);
      const count = counts.get(address) ?? 0;
      if (count >= max) {
        connection.close();
        isUnreported = false;
        return undefined;
      }
      counts.set(address, count + 1);
      const uncount = () => closed(address);
      connection.onAborted(uncount);
      return uncount;
    },

    /** A connection was closed; its callback is called next, unless it was refused or is just being answered. */
    closing: () => {
      isUnreported = true;
    },

    /** Takes the response of a request that another handler gets next; false if its client has gone already. */
    yielded: (response: NativeResponse) => {
      const address = addressOf(response);
      let isOver = false;
      yielded = (isClosed) => {
        if (isOver) return;
        isOver = true;
        if (isClosed || isUnreported) closed(address);
        else response.onAborted(() => closed(address));
      };
      return address !== "";
    },

    /**
     * Returns what is called when the request that begins has its answer, which may close the connection, or when that
     * `isClosed` before; undefined for a request that was not yielded.
     */
    request: () => {
      const over = yielded;
      yielded = undefined;
      return over;
    },
  };
}
