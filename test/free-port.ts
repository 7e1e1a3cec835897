import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";

/** Below the ports that systems assign, so that no test that runs beside takes one between this call and its use. */
const [first, count] = [16_000, 16_000];

/** Returns a free TCP port of the loopback address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    const holder = createServer().listen(port, "127.0.0.1");
    const isFree = await once(holder, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    holder.close();
    await once(holder, "close");
    return port;
  }
}

/** Where IPv6 is switched off, as in many containers, no interface has an address of it. */
export const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);
