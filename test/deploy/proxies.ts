import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { until } from "../faults/gate.ts";
import { freePort } from "../free-port.ts";
import { testKey } from "../service.ts";
import { makeCertificate } from "../support/certificate.ts";
import { ended, endWithThisProcess } from "../support/children.ts";
import { newFolder } from "../support/folders.ts";

const installed = (name: string, flag: string) => spawnSync(name, [flag]).status === 0;

export const haproxyMissing: string | false = installed("haproxy", "-v") ? false : "HAProxy is not installed";
export const nginxMissing: string | false =
  installed("nginx", "-v") && installed("openssl", "version") ? false : "nginx or openssl is not installed";

/** A proxy that runs with the file that is shipped, changed only as its test says. */
export interface RunningProxy {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

const stdio: ["ignore", "ignore", "pipe"] = ["ignore", "ignore", "pipe"];

/** Changes the text of a shipped file for a test. */
type Variant = (config: string) => string;

const shipped = (name: string) => readFileSync(new URL(`../../.deploy/${name}`, import.meta.url), "utf8");

/** Replaces a part of a file that must be there. */
export function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the file lacks "${part}"`);
  return text.replaceAll(part, by);
}

/** Waits until a proxy answers; throws what it has written to standard error when it ends. */
async function running(
  child: ChildProcessByStdio<null, null, Readable>,
  port: number,
  folder: string,
): Promise<RunningProxy> {
  endWithThisProcess(child);
  let written = "";
  child.stderr.on("data", (data: Buffer) => {
    written += data;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the proxy has ended: ${written}`);
    const answer = fetch(`${url}/service/live`, { signal: AbortSignal.timeout(5_000) });
    return (await answer.catch(() => undefined))?.status === 200;
  });
  return { url, port, folder, stop: () => ended(child) };
}

/** HAProxy before one to three services; only a busy machine needs longer to connect than the file allows. */
export async function startHaproxy(
  ports: readonly number[],
  variant: Variant = (text) => text,
): Promise<RunningProxy> {
  const [a, b = a, c = b] = ports.map((port) => `127.0.0.1:${port}`);
  const port = await freePort();
  const folder = newFolder();
  const file = join(folder, "haproxy.cfg");
  const patient = "timeout connect 20s\n    timeout check 20s";
  writeFileSync(file, variant(replaced(shipped("haproxy.cfg"), "timeout connect 1s", patient)));
  const env = { BANKCHECK_BIND: `127.0.0.1:${port}`, BANKCHECK_A: a, BANKCHECK_B: b, BANKCHECK_C: c };
  const child = spawn("haproxy", ["-f", file], { env: { ...process.env, ...env }, stdio });
  return running(child, port, folder);
}

/** nginx before one or two services, with a certificate of its own; `securePort` takes TLS. */
export async function startNginx(
  ports: readonly number[],
  variant: Variant = (text) => text,
): Promise<RunningProxy & { readonly securePort: number }> {
  const [a, b = a] = ports.map((port) => `127.0.0.1:${port}`);
  const port = await freePort();
  const securePort = await freePort();
  const folder = newFolder();
  const { TLS_CERT: certificate, TLS_KEY: key } = makeCertificate(folder, "tls");
  const changes = [
    ["listen 443 ", `listen 127.0.0.1:${securePort} `],
    ["/etc/bankcheck/tls.crt", certificate],
    ["/etc/bankcheck/tls.key", key],
    ["127.0.0.1:8080", `127.0.0.1:${port}`],
    ["127.0.0.1:8081", a!],
    ["127.0.0.1:8082", b!],
    ["/var/log/nginx/access.log", join(folder, "access.log")],
  ] as const;
  const text = changes.reduce((before, [part, by]) => replaced(before, part, by), shipped("nginx.conf"));
  const file = join(folder, "nginx.conf");
  writeFileSync(file, variant(text));
  const globals = `daemon off; master_process off; pid ${join(folder, "pid")};`;
  const child = spawn("nginx", ["-p", folder, "-c", file, "-g", globals], { stdio });
  return { ...(await running(child, port, folder)), securePort };
}

/** How many IBANs a batch of `flood` has. */
export const batchSize = 200;

/** Posts batches from several clients while `during` runs, none of which may fail; returns how many were answered. */
export async function flood(
  url: string,
  clients: number,
  during: (more: (answers: number) => Promise<void>) => Promise<void>,
): Promise<number> {
  const iban = "DE89370400440532013000";
  const body = JSON.stringify({ ibans: Array<string>(batchSize).fill(iban) });
  const headers = { "X-API-Key": testKey, "Content-Type": "application/json" };
  let isOver = false;
  let answers = 0;
  const client = async () => {
    for (; !isOver; answers++) {
      const answer = await fetch(`${url}/v1/iban`, { method: "POST", headers, body });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      assert.ok(text.split(`"iban":"${iban}"`).length > batchSize, text);
    }
  };
  const more = (count: number, from = answers) => until(() => answers >= from + count);
  const all = Promise.all(Array.from({ length: clients }, client));
  const over = during(more).finally(() => {
    isOver = true;
  });
  await Promise.all([all, over]);
  return answers;
}
