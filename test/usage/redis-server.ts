import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { pipeline } from "node:stream/promises";
import { until } from "../faults/gate.ts";
import { freePort } from "../free-port.ts";
import { endWithThisProcess } from "../support/children.ts";
import { newFolder } from "../support/folders.ts";
import { listen } from "../support/listen.ts";

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

/** A way to Redis that can lose answers: requests arrive, and once it `loses`, a connection breaks as an answer comes. */
export async function startLossyProxy(port: number) {
  const facts = { loses: false, lost: 0 };
  async function* passed(answers: AsyncIterable<Buffer>) {
    for await (const answer of answers) {
      if (facts.loses) throw new Error(`answer ${++facts.lost} is lost`);
      yield answer;
    }
  }
  const server = createServer((client) => {
    pipeline(client, createConnection(port, "127.0.0.1"), passed, client).catch(() => {});
  });
  return Object.assign(facts, {
    url: `redis://127.0.0.1:${await listen(server)}`,
    close: () => server.close(),
  });
}
