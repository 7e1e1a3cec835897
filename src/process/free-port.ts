import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { StartError } from "../settings.ts";

/** What each error of the system means for whoever set HOST and PORT. */
const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: (host) =>
    `HOST is ${host}, which is not the name of any machine; set it to an address of this one.`,
  EAI_AGAIN: (host) =>
    `HOST is ${host}, a name that cannot be looked up now; set it to an address of this machine.`,
  EADDRNOTAVAIL: (host) =>
    `HOST is ${host}, which is not an address of this machine; 0.0.0.0 listens on all.`,
  EACCES: (_, port) => `The port ${port} is reserved for privileged users; set PORT to one above 1023.`,
};

/** Returns the port, or any free one for 0. Rejects with a StartError where it cannot be listened on. */
export async function freePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    throw new StartError(reasonOf((error as NodeJS.ErrnoException).code, host, port));
  }
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}

function reasonOf(code: string | undefined, host: string, port: number): string {
  const reason = reasons[code ?? ""];
  return reason?.(host, port) ?? `The port ${port} of ${host} cannot be listened on; it may be in use.`;
}
