import { once } from "node:events";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Fault, startFaultyProxy } from "../test/support/faulty-proxy.ts";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { startCommand } from "../test/support/start-command.ts";
import { exitOnSignals, numberOf, optionsOf, temporaryFolder } from "./command.ts";
import { readMemory, readProcessorTime, startServer, type TestServer } from "./load/process.ts";
import { Relay } from "./load/relay.ts";
import { benchKey } from "./load/requests.ts";
import { bankcheck } from "./scenarios.ts";

/**
 * `npm run bench -- file`: a CSV of a million rows from file to file through `bankcheck check`, with the service on the
 * same machine: as it is, offline, and with requests refused and failing and one kill −9 and resume in between.
 *
 * `--outages` instead: the service is away for ten seconds three times, is restarted twice, refuses one request in a
 * hundred, and the command is killed and resumed.
 *
 * `--accounts`: account numbers with their bank codes instead of IBANs.
 *
 * Ends with exit code 1 where an output differs from the first one in a byte, or memory goes beyond its bound.
 */
const options = optionsOf({
  rows: { type: "string", default: "1000000" },
  outages: { type: "boolean", default: false },
  accounts: { type: "boolean", default: false },
});
const rows = numberOf("rows", options.rows, { min: 1, max: 1e8, isWhole: true });
exitOnSignals();
const memoryBound = 150;
const folder = temporaryFolder();
const input = join(folder, "input.csv");
const write = (text: string) => process.stdout.write(text);

async function writeInput(): Promise<void> {
  const mix = await shippedMix();
  const out = createWriteStream(input);
  out.write(options.accounts ? "customer;name;kontonummer;blz;amount\n" : "customer;name;iban;amount\n");
  for (let row = 0; row < rows; row += 1_000) {
    const lines = mix.take(Math.min(1_000, rows - row)).map((iban, index) => {
      const name = index % 8 === 0 ? '"Meyer; Söhne"' : "Jürgen Beispiel";
      const number = options.accounts ? accountOf(iban) : iban;
      return `${100_000 + row + index};${name};${number};${index},50\n`;
    });
    if (!out.write(lines.join(""))) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

/** The account of a German IBAN, and one account for all others. */
function accountOf(iban: string): string {
  return /^DE\d{20}$/.test(iban) ? `${iban.slice(12)};${iban.slice(4, 12)}` : "532013000;37040044";
}

interface Run {
  readonly exit: number | string | null;
  readonly seconds: number;
  /** Seconds of processor time of the command and of the service. */
  readonly processor: readonly [command: number, service: number];
  /** Peak resident memory of the process, in MB. */
  readonly memory: number;
}

async function check(url: string, output: string, ...args: readonly string[]): Promise<Run> {
  const begin = performance.now();
  const environment = { BANKCHECK_URL: url, BANKCHECK_KEY: benchKey };
  const { child, result } = startCommand(
    ["check", input, "-o", join(folder, output), "-q", ...args],
    environment,
  );
  let memory = 0;
  let used = 0;
  const serviceTime = () => service.processorTime().all;
  const before = serviceTime();
  const watch = setInterval(() => {
    // Neither is known once the command has ended.
    memory = Math.max(memory, readMemory(child.pid!, "VmHWM") || 0);
    used = readProcessorTime(child.pid!).all || used;
    if (killWhen?.() === true) child.kill("SIGKILL");
  }, 20);
  const { exit, stderr } = await result;
  clearInterval(watch);
  if (stderr !== "") write(stderr);
  const seconds = (performance.now() - begin) / 1_000;
  return { exit, seconds, processor: [used, serviceTime() - before], memory };
}

/** Set while a run should be killed. */
let killWhen: (() => boolean) | undefined;

async function equalFiles(one: string, other: string): Promise<boolean> {
  const [a, b] = [one, other].map((name) => createReadStream(join(folder, name))[Symbol.asyncIterator]());
  for (;;) {
    const [left, right] = await Promise.all([a!.next(), b!.next()]);
    if (left.done === true || right.done === true) return left.done === right.done;
    if (!(left.value as Buffer).equals(right.value as Buffer)) return false;
  }
}

function report(name: string, { seconds, processor, memory }: Run, isBounded = true): void {
  const speed = Math.round(rows / seconds).toLocaleString("en");
  const [command, server] = processor.map((time) => time.toFixed(1));
  write(
    `${name.padEnd(50)} ${seconds.toFixed(1).padStart(5)} s ${speed.padStart(8)} rows/s, processor: ` +
      `command ${command} s, service ${server} s, memory ${memory.toFixed(0)} MB\n`,
  );
  if (memory > memoryBound && isBounded) process.exitCode = 1;
}

async function compare(output: string): Promise<void> {
  if (await equalFiles("as-it-is.csv", output)) return;
  write(`${output} differs\n`);
  process.exitCode = 1;
}

/** Checks through a proxy that has requests fail, with a kill in the middle. */
async function checkWithFaults(
  name: string,
  output: string,
  faultOf: (number: number) => Fault | undefined,
): Promise<void> {
  const proxy = await startFaultyProxy(service.url, (number) =>
    number % 500 === 499 ? { code: "checker_failed" } : faultOf(number),
  );
  killWhen = () => proxy.requests > requests / 2;
  const killed = await check(proxy.url, output);
  killWhen = undefined;
  const resumed = await check(proxy.url, output, "--resume");
  await proxy.close();
  if (killed.exit !== "SIGKILL") throw new Error("the command was finished before it was to be killed");
  report(name, {
    exit: resumed.exit,
    processor: [killed.processor[0] + resumed.processor[0], killed.processor[1] + resumed.processor[1]],
    seconds: killed.seconds + resumed.seconds,
    memory: Math.max(killed.memory, resumed.memory),
  });
  await compare(output);
}

const portOf = ({ url }: TestServer) => Number(new URL(url).port);

/** How long the service is away. */
const awayMs = 10_000;

/** Checks while nearly everything happens that can happen to a service, and to the command. */
async function checkWithOutages(): Promise<void> {
  const behind = new Relay(portOf(service));
  await behind.open();
  const goAway = async () => {
    before.close();
    await delay(awayMs);
    await before.open();
  };
  const restart = async () => {
    await service.stop();
    service = await startService();
    behind.targetPort = portOf(service);
  };
  const events = [goAway, restart, goAway, restart, goAway].map((run, index) => ({
    at: Math.floor((requests * (index + 1)) / 6),
    run,
  }));
  const happening: Promise<void>[] = [];
  const proxy = await startFaultyProxy(behind.url, (number) => {
    while (events[0] !== undefined && number >= events[0].at) happening.push(events.shift()!.run());
    if (number % 500 === 499) return { code: "checker_failed" };
    return number % 100 === 50 ? { code: "server_busy", retryAfter: 2 } : undefined;
  });
  const before = new Relay(Number(new URL(proxy.url).port));
  await before.open();
  const begun = performance.now();
  killWhen = () => proxy.requests > requests * 0.45;
  const killed = await check(before.url, "outages.csv");
  killWhen = undefined;
  if (killed.exit !== "SIGKILL") throw new Error("the command was finished before it was to be killed");
  const resumed = await check(before.url, "outages.csv", "--resume");
  await Promise.all(happening);
  if (events.length > 0 || resumed.exit !== 0) process.exitCode = 1;
  write(
    `exit ${resumed.exit}, ${happening.length} outages and restarts, ${proxy.requests} requests instead of ${requests}\n`,
  );
  const seconds = (performance.now() - begun) / 1_000;
  const memory = Math.max(killed.memory, resumed.memory);
  report("3 times away, 2 restarts, refusals, kill −9, resume", { ...resumed, seconds, memory });
  before.close();
  await proxy.close();
  behind.close();
  await compare("outages.csv");
}

await writeInput();
/** The fewest requests that a run takes: one for each block of 256 KB. */
const requests = Math.ceil(statSync(input).size / 262_144);
write(`${rows.toLocaleString("en")} rows, ${(statSync(input).size / 1e6).toFixed(0)} MB\n`);
const startService = () => startServer(bankcheck(2, 1_024));
let service = await startService();
try {
  report("as it is", await check(service.url, "as-it-is.csv"));
  if (options.outages) await checkWithOutages();
  else await checkOtherwise();
} finally {
  await service.stop();
}

async function checkOtherwise(): Promise<void> {
  // This process holds the bank data and the workers as well.
  report("offline", await check("", "offline.csv", "--offline"), false);
  await compare("offline.csv");

  // A shared service refuses single requests now and then, and for short periods all of them.
  const busy: Fault = { code: "server_busy", retryAfter: 2 };
  await checkWithFaults("1 of 100 refused, failures, kill −9, resume", "resumed.csv", (number) =>
    number % 100 === 50 ? busy : undefined,
  );
  let busyUntil = 0;
  await checkWithFaults("all refused for 200 ms, failures, kill −9, resume", "resumed-2.csv", (number) => {
    if (number === Math.floor(requests / 4)) busyUntil = performance.now() + 200;
    return performance.now() < busyUntil ? busy : undefined;
  });
}
