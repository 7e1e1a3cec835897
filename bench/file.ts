import { createReadStream } from "node:fs";
import { join } from "node:path";
import { shippedMix } from "../test/support/shipped-directory.ts";
import { startCommand } from "../test/support/start-command.ts";
import { exitOnSignals, print, temporaryFolder } from "./command.ts";
import { figure } from "./figures.ts";
import { readMemory, readProcessorTime, startServer } from "./load/process.ts";
import { benchKey } from "./load/requests.ts";
import { accountsOf, writeRows } from "./row-files.ts";
import { servers } from "./scenarios.ts";

/**
 * `npm run bench -- file`: a CSV from file to file through `bankcheck check`, with the service on the same machine and
 * offline. Sets exit code 1 where the two outputs differ.
 */
export async function run({
  rows,
  accounts = false,
}: {
  readonly rows: number;
  readonly accounts?: boolean;
}): Promise<void> {
  exitOnSignals();
  const folder = temporaryFolder();
  const input = join(folder, "input.csv");
  const ibans = (await shippedMix()).take(100_000);
  const german = accountsOf(ibans);
  await writeRows(
    input,
    rows,
    accounts ? "customer;name;kontonummer;blz;amount\n" : "customer;name;iban;amount\n",
    (row) => {
      const name = row % 8 === 0 ? '"Meyer; Söhne"' : "Jürgen Beispiel";
      const number = accounts ? german[row % german.length]!.join(";") : ibans[row % ibans.length];
      return `${100_000 + row};${name};${number};${row % 1_000},50`;
    },
  );
  const service = await startServer(servers.bankcheck);
  try {
    const outputs = [];
    for (const [name, more] of [["with the service", []] as const, ["offline", ["--offline"]] as const]) {
      const output = join(folder, `${name}.csv`);
      outputs.push(output);
      const before = service.processorTime().all;
      const begin = performance.now();
      const { child, result } = startCommand(["check", input, "-o", output, "-q", ...more], {
        BANKCHECK_URL: service.url,
        BANKCHECK_KEY: benchKey,
      });
      let [memory, command] = [0, 0];
      const watch = setInterval(() => {
        // Neither is known once the command has ended.
        memory = readMemory(child.pid!, "VmHWM") || memory;
        command = readProcessorTime(child.pid!).all || command;
      }, 20);
      const { exit, stderr } = await result;
      clearInterval(watch);
      if (exit !== 0 && exit !== 1) throw new Error(`the command ended with ${exit}: ${stderr}`);
      print(
        `${name}: ${figure((rows * 1_000) / (performance.now() - begin))} rows/s; processor: command ${figure(command)} s, ` +
          `service ${figure(service.processorTime().all - before)} s; command's memory ${figure(memory)} MB`,
      );
    }
    if (await equalFiles(outputs)) return;
    print("the two outputs differ");
    process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

async function equalFiles(names: readonly string[]): Promise<boolean> {
  const [a, b] = names.map((name) => createReadStream(name)[Symbol.asyncIterator]());
  for (;;) {
    const [left, right] = await Promise.all([a!.next(), b!.next()]);
    if (left.done === true || right.done === true) return left.done === right.done;
    if (!(left.value as Buffer).equals(right.value as Buffer)) return false;
  }
}
