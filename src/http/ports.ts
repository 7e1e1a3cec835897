import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { codeOf } from "../process/files.ts";
import { StartError } from "../settings.ts";

/** What is wrong with HOST, by the error of the system. */
const hostFaults: Readonly<Record<string, string>> = {
  ENOTFOUND: "which is not the name of any machine; set it to an address of this one",
  EAI_AGAIN: "a name that cannot be looked up now; set it to an address of this machine",
  EINVAL: "which cannot be the name of a machine; set it to an address of this one",
  EADDRNOTAVAIL: "which is not an address of this machine; 0.0.0.0 listens on all",
};

/** Returns the port, or any free one for 0. Rejects with a StartError if the service cannot listen on it. */
export async function freePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    throw new StartError(portReason(codeOf(error), host, port));
  }
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}

/** Timeout of the connection that shows whether the port is in use; an address of no machine never answers. */
const connectMs = 1_000;

/**
 * Returns the port, or any free one for 0. Rejects with a StartError if another process answers on it.
 *
 * It does not listen: clients that connect again while the service restarts would be taken, and cut off.
 */
export async function unusedPort(host: string, port: number): Promise<number> {
  // Another port of the host shows whether it is this machine; elsewhere somebody may well answer.
  const anyPort = await freePort(host, 0);
  if (port === 0) return anyPort;
  const socket = connect({ host, port });
  const isTaken = await once(socket, "connect", { signal: AbortSignal.timeout(connectMs) }).then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (isTaken) throw new StartError(portReason("EADDRINUSE", host, port));
  return port;
}

function portReason(code: string, host: string, port: number): string {
  const fault = hostFaults[code];
  if (fault !== undefined) return `HOST is ${host}, ${fault}.`;
  return code === "EACCES"
    ? `The port ${port} is reserved for privileged users; set PORT to one above 1023.`
    : `The service cannot listen on port ${port} of ${host}; it may be in use.`;
}
