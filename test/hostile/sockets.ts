import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

/** Opens connections of clients that read what comes, or never read; each may be reset. */
export async function openSockets(
  port: number,
  count: number,
  { reads = false, localAddress = "127.0.0.1" } = {},
): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1", localAddress }));
  for (const socket of sockets) {
    socket.on("error", () => {});
    if (reads) socket.resume();
    else socket.pause();
  }
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

/** Visits `times` times in all, from `clients` clients at once. */
export async function byClients(clients: number, times: number, visit: () => Promise<unknown>) {
  let left = times;
  const client = async () => {
    while (left-- > 0) await visit();
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** One end of a connection, by the kernel's list. */
interface TcpEnd {
  readonly port: number;
  readonly remotePort: number;
  /** Whether it is open at this end. */
  readonly isOpen: boolean;
  /** Bytes that are sent and not yet taken by the other end, and bytes that are not yet read here. */
  readonly unsent: number;
  readonly unread: number;
}

/** The connections of this machine over IPv4 that have a port at one of their ends. Needs Linux; source: proc(5). */
export function tcpEnds(port: number): TcpEnd[] {
  const place = `:${port.toString(16).toUpperCase().padStart(4, "0")} `;
  return (
    readFileSync("/proc/net/tcp", "latin1")
      .split("\n")
      // There may be thousands of others.
      .filter((row) => row.includes(place))
      .map((row) => {
        const [, local = "", remote = "", state = "", queues = ""] = row.trim().split(/\s+/);
        const [own = 0, other = 0] = [local, remote].map((end) => Number.parseInt(end.slice(-4), 16));
        const [unsent = 0, unread = 0] = queues.split(":").map((bytes) => Number.parseInt(bytes, 16));
        // ESTABLISHED and CLOSE_WAIT.
        return { port: own, remotePort: other, isOpen: ["01", "08"].includes(state), unsent, unread };
      })
  );
}
