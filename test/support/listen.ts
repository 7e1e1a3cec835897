import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Lets a server listen on a free port of the loopback address, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Closes a server, with its connections where it knows them, and waits until its port is free. */
export async function closed(server: Server | HttpServer): Promise<void> {
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  await once(server, "close");
}
