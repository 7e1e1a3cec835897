import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { connect } from "node:tls";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { exitOnSignals, temporaryFolder } from "./command.ts";
import { findGenerator, type Load } from "./load/generator.ts";
import { startServer, type TestServer } from "./load/process.ts";
import { makeBodies } from "./load/requests.ts";
import { median } from "./report/statistics.ts";
import { servers } from "./scenarios.ts";

// The cost of TLS: processor time of one answer over HTTP and over HTTPS, in turns, and of one handshake.

const rounds = 5;
const seconds = 2;
const handshakes = 500;

exitOnSignals();
const folder = temporaryFolder();
const files = { TLS_CERT: join(folder, "tls.crt"), TLS_KEY: join(folder, "tls.key") };
execFileSync("openssl", [
  ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
  ...["-subj", "/CN=localhost", "-keyout", files.TLS_KEY, "-out", files.TLS_CERT],
]);

const bodies = makeBodies(await shippedMix());
const { generate } = findGenerator();
const plain = await startServer(servers.bankcheck);
const secured = await startServer({ ...servers.bankcheck, env: { ...servers.bankcheck.env, ...files } });
try {
  const loads: Readonly<Record<string, (url: string) => Load>> = {
    "single check, 64 connections": (url) => ({
      url: `${url}/v1/iban/DE89370400440532013000`,
      connections: 64,
      seconds,
    }),
    "batch of 500, 64 connections": (url) => ({ url: `${url}/v1/iban`, connections: 64, seconds, bodies }),
  };
  for (const [title, loadOf] of Object.entries(loads)) {
    const costs = new Map<TestServer, number[]>([
      [plain, []],
      [secured, []],
    ]);
    for (let round = 0; round < rounds; round++) {
      for (const [server, samples] of costs) samples.push(await mainMicroseconds(server, loadOf(server.url)));
    }
    const [http = 0, https = 0] = [...costs.values()].map((samples) => median(samples));
    print(title, `main thread ${http.toFixed(1)} µs over HTTP, ${https.toFixed(1)} µs over HTTPS`);
  }
  const before = secured.processorTime().main;
  for (let count = 0; count < handshakes; count++) await handshake(secured.url);
  const spent = ((secured.processorTime().main - before) / handshakes) * 1e6;
  print("one handshake, P-256", `main thread ${spent.toFixed(0)} µs`);
} finally {
  await Promise.all([plain.stop(), secured.stop()]);
}

/** Runs a load, and returns the processor time of the server's main thread for one answer. */
async function mainMicroseconds(server: TestServer, load: Load): Promise<number> {
  const before = server.processorTime().main;
  const { answers } = await generate(load);
  return ((server.processorTime().main - before) / answers) * 1e6;
}

function handshake(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}

function print(what: string, figures: string): void {
  process.stdout.write(`${what.padEnd(32)}${figures}\n`);
}
