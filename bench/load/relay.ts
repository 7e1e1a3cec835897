import { connect, createServer, type Server, type Socket } from "node:net";

/** Hands connections on to another port of this machine; it may go away for a while, and its target may change. */
export class Relay {
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  targetPort: number;

  constructor(targetPort: number) {
    this.targetPort = targetPort;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the port that it had before where there was one. */
  async open(): Promise<void> {
    const server = createServer((socket) => this.#handOn(socket));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as { port: number }).port;
  }

  /** Ends all connections; until it is opened again, further ones are refused. */
  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #handOn(socket: Socket): void {
    const target = connect(this.targetPort, "127.0.0.1");
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => {});
      one.once("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
