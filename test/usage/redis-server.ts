import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { until } from "../faults/gate.ts";
import { freePort } from "../free-port.ts";
import { endWithThisProcess } from "../support/children.ts";
import { newFolder } from "../support/folders.ts";

/** Why a test with a real Redis is skipped, for `node:test`'s `skip` option. */
export const redisMissing: string | false =
  spawnSync("redis-server", ["--version"]).status === 0 ? false : "redis-server is not installed";

/** A Redis of the test's own, which keeps its data in a file from one start to the next. */
export class RedisServer {
  readonly port: number;
  readonly #folder = newFolder();
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  async start(): Promise<void> {
    const settings = { port: this.port, bind: "127.0.0.1", dir: this.#folder, save: "", appendonly: "yes" };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.#child = spawn("redis-server", args, { stdio: "ignore" });
    endWithThisProcess(this.#child);
    await until(() => this.#answers());
  }

  /** Suspends it at any point of its work, until `resume`. */
  pause(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await ended;
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createConnection(this.port, "127.0.0.1");
      socket.once("error", () => resolve(false));
      socket.once("data", (data) => {
        socket.destroy();
        resolve(data.toString().startsWith("+PONG"));
      });
      socket.write("PING\r\n");
    });
  }
}

/** A connection to Redis that can lose answers: requests arrive, answers do not. */
export class LossyProxy {
  /** From now on the connection breaks as soon as an answer comes. */
  loses = false;
  lost = 0;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = createConnection(port, "127.0.0.1");
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          client.destroy();
          upstream.destroy();
          this.#sockets.delete(socket);
        });
      }
      client.pipe(upstream);
      upstream.on("data", (data) => {
        if (this.loses) {
          this.lost++;
          client.destroy();
        } else {
          client.write(data);
        }
      });
    });
  }

  static async to(port: number): Promise<LossyProxy> {
    const proxy = new LossyProxy(port);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
