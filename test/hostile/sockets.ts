import { once } from "node:events";
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
