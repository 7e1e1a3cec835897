import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, afterEach, beforeEach, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent } from "undici";
import { expectNoSecrets, keysOf } from "./secrets.ts";
import { endWithThisProcess } from "./support/children.ts";
import { newFolder } from "./support/folders.ts";
import { useStarted } from "./support/started.ts";

/** The API key that services started for tests accept. */
export const testKey = "test-key-0123456789";

const tlsFolder = process.env["TEST_TLS"];
/**
 * TLS settings of every service where the tests run over TLS: `TEST_TLS` is a folder with `tls.crt` and `tls.key`. Node
 * must trust the certificate (`NODE_EXTRA_CA_CERTS`).
 */
export const tlsSettings =
  tlsFolder === undefined
    ? undefined
    : { TLS_CERT: join(tlsFolder, "tls.crt"), TLS_KEY: join(tlsFolder, "tls.key") };

/** The compiled service. */
export const serviceEntry = fileURLToPath(new URL("../.dist/src/main.js", import.meta.url));

/** How long a process may live after its last test. */
const lingeringMs = 60_000;

// A test that fails midway must not leave a service behind, nor keep this process with a server or a connection that it has
// left open; hooks of its file, which come later, stop what they have started. Node calls the hook after all tests as soon
// as those of the first files are over, while later files are still loaded: what runs or comes puts the end off. Pictures
// are taken of services too, without the test runner.
if (process.env["NODE_TEST_CONTEXT"] !== undefined) {
  let running = 0;
  let end: NodeJS.Timeout | undefined;
  beforeEach(() => {
    running++;
  });
  afterEach(() => {
    running--;
    end?.refresh();
  });
  after(() => {
    end = setTimeout(() => (running === 0 ? process.exit() : end?.refresh()), lingeringMs).unref();
  });
}

/** The compiled service, started as its own process on a free port with the shipped data. */
export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** The log of the process so far. */
  log(): string;
  /** The standard output of the process so far. */
  output(): string;
  /** Sends a request with the test key; headers given replace the default ones. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Posts a JSON body; a string or bytes are sent as they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Ends the process with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>;
}

/** How a service is started for a test. */
interface Start {
  /** Words before its command, which change what it may do. */
  readonly by?: readonly string[];
  /** Called as soon as the process exists. */
  readonly spawned?: (child: ChildProcess) => void;
  /** The file descriptor that its log goes to, where the test does not read it; PORT must be given then. */
  readonly stderr?: number;
}

/** Words before a command that take the right to write everywhere from root, so that folders are as for other users. */
export const withoutOverride: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : [];

/**
 * Settings of every service that is started for a test. Only a test of its limit reaches how long a check may take: on a busy
 * machine a task may wait for seconds until its worker has come up, or until the test lets it go on.
 */
export const usualSettings = () => ({
  PORT: "0",
  STATE_DIR: newFolder(),
  API_KEYS: `test:${testKey}`,
  CHECK_TIMEOUT: "60000",
  ...tlsSettings,
});

/** Levels at which the log does not say where the service listens; PORT must be given then. */
const quietLevels = new Set(["warn", "error", "fatal", "silent"]);

/** Resolves when a service answers; a process that ends meanwhile is somebody else's to report. */
async function answering(url: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null) {
    const answer = await fetch(`${url}/service/ready`).catch(() => undefined);
    if (answer?.status === 200) break;
    await delay(50);
  }
  return url;
}

/** Starts the compiled service with one worker, in less time: for tests that are not about several. */
export function startQuickService(
  settings: Readonly<Record<string, string>> = {},
  start?: Start,
): Promise<RunningService> {
  return startCompiledService({ POOL_SIZE: "1", ...settings }, start);
}

const stopWell = async (service: RunningService) => assert.equal(await service.stop(), 0);

/** A service with settings of its own for the tests of a file. */
export function useQuickService(settings: Readonly<Record<string, string>> = {}): RunningService {
  return useStarted(() => startQuickService(settings), stopWell);
}

/** The same for one test. */
export async function quickServiceOf(
  t: TestContext,
  ...start: Parameters<typeof startQuickService>
): Promise<RunningService> {
  const service = await startQuickService(...start);
  t.after(() => stopWell(service));
  return service;
}

let shared: Promise<RunningService> | undefined;

/** Further keys of the shared service, of one other holder, and the origins whose pages may call it. */
export const [otherKey, otherSecondKey] = ["other-key-0123456789", "other-second-0123456789"];
export const origins = ["https://shop.example", "http://localhost:3000"];

/**
 * The service of this process for tests that need no settings of their own and leave it unchanged; stopped when the last
 * of them has ended. The runner has all files that call this in one process.
 */
export function sharedService(): Promise<RunningService> {
  shared ??= startQuickService({
    POOL_QUEUE: "1000",
    API_KEYS: `test:${testKey},other:${otherKey},other:${otherSecondKey}`,
    CORS_ORIGINS: origins.join(),
  });
  return shared;
}
if (process.env["NODE_TEST_CONTEXT"] !== undefined) {
  after(async () => assert.equal((await (await shared)?.stop()) ?? 0, 0));
}

/** The same for all tests of a file. */
export function useSharedService(): RunningService {
  return useStarted(sharedService, () => {});
}

/** Starts the compiled service with settings given as environment variables, and resolves when it listens. */
export async function startCompiledService(
  settings: Readonly<Record<string, string>> = {},
  { by = [], spawned, stderr }: Start = {},
): Promise<RunningService> {
  const { PATH = "" } = process.env;
  const [command = "", ...args] = [...by, process.execPath, serviceEntry];
  const child = spawn(command, args, {
    env: { PATH, POOL_SIZE: "2", ...usualSettings(), ...settings },
    stdio: ["ignore", "pipe", stderr ?? "pipe"],
  });
  endWithThisProcess(child);
  spawned?.(child);
  // In every test of the suite, no secret and no account gets into a service's log or crash output.
  child.once("close", () => expectNoSecrets(log, secrets, "the log"));
  const secrets = [testKey, ...keysOf(settings["API_KEYS"] ?? "")].filter((key) => key !== "");
  let output = "";
  child.stdout!.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stderr !== null)
      createInterface({ input: child.stderr }).on("line", (line) => {
        log += `${line}\n`;
        const address = /"address":"([^"]+)"/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    if (child.stderr === null || quietLevels.has(settings["LOG_LEVEL"] ?? "")) {
      const scheme = tlsSettings === undefined ? "http" : "https";
      void answering(`${scheme}://127.0.0.1:${settings["PORT"]}`, child).then(resolve);
    }
    child.once("close", (code, signal) =>
      reject(new Error(`the service ended with ${signal ?? code} before it listened: ${log}${output}`)),
    );
  });
  // Only then is all read that it has written.
  const closed = once(child, "close").then(([code]) => code as number | null);
  const connections = new Agent();
  const request = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { headers: { "X-API-Key": testKey }, dispatcher: connections, ...init } as RequestInit);
  return {
    url,
    port: Number(new URL(url).port),
    child,
    log: () => log,
    output: () => output,
    request,
    post: (path, body, headers = {}) =>
      request(path, {
        method: "POST",
        headers: { "X-API-Key": testKey, "Content-Type": "application/json", ...headers },
        body:
          typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    stop: async () => {
      // A service that stops waits a second for what its clients keep open. An answer that a test has not read would
      // hold this up until it is collected as garbage, which may take minutes.
      await Promise.race([connections.close(), delay(1_000)]);
      void connections.destroy();
      child.kill("SIGTERM");
      return closed;
    },
  };
}
