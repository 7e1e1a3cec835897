import { Bench } from "tinybench";
import { BankDirectory } from "../src/banks/directory/directory.ts";
import { plain } from "../src/checks/answer.ts";
import { batchAnswer } from "../src/checks/iban-answer.ts";
import { compileKernel, Kernel } from "../src/kernel/kernel.ts";
import { kernelTables } from "../src/kernel/kernel-tables.ts";
import { createSharedMemory } from "../src/pool/shared-memory.ts";
import { type Slot, SlotMemory } from "../src/pool/slots.ts";
import { IbanMix } from "../test/support/iban-mix.ts";
import { loadShippedDirectory } from "../test/support/shipped-directory.ts";

/*
 * Compares the batch kernel with the reference in TypeScript, from the bytes of a body to those of its answer: over one
 * body again and again, over 32 in turn (each in a separate slot, as the service has them), and over other spellings.
 */
const batchSize = 500;
const bodyCount = 32;

const shared = createSharedMemory(kernelTables(), 0, bodyCount);
const [place] = shared.areas;
const shipped = await loadShippedDirectory();
new Uint8Array(shared.slots.buffer).set(new Uint8Array(shipped), place);
const slots = new SlotMemory(shared.slots);
const kernel = new Kernel(await compileKernel(), shared.memory, { tables: shared.tables, directory: place });
const directory = new BankDirectory(shared.slots.buffer, place);
const mix = new IbanMix(directory);
const batches = Array.from({ length: bodyCount }, () => mix.take(batchSize));

/** How the same IBANs may be written. */
const spellings: Readonly<Record<string, (iban: string) => string>> = {
  "as is": (iban) => iban,
  "in groups of four": (iban) => iban.replace(/.{4}(?!$)/g, "$& "),
  "in lower case": (iban) => iban.toLowerCase(),
  "too short": (iban) => iban.slice(0, 12),
};

function fill(spelling: (iban: string) => string): readonly number[] {
  return batches.map((ibans, index) => {
    const body = Buffer.from(JSON.stringify({ ibans: ibans.map(spelling) }));
    slots.slot(index).input.set(body);
    return body.length;
  });
}

function byKernel(slot: Slot, length: number): void {
  const written = kernel.writeBatch(
    {
      input: slot.inputOffset,
      inputLength: length,
      output: slot.outputOffset,
      outputRoom: slot.output.length,
    },
    plain,
  );
  if (written < 0) throw new Error("the kernel did not understand a body");
}

function byReference(slot: Slot, length: number): void {
  const { ibans } = JSON.parse(slot.input.toString("latin1", 0, length)) as {
    readonly ibans: readonly string[];
  };
  slot.output.write(JSON.stringify(batchAnswer(directory, ibans, plain)));
}

const print = (text: string) => process.stdout.write(`${text}\n`);
print("nanoseconds per IBAN, median            kernel  reference");
for (const [spelling, write] of Object.entries(spellings)) {
  const lengths = fill(write);
  const bench = new Bench({ time: 400, warmupTime: 150 });
  for (const work of [byKernel, byReference]) {
    let turn = 0;
    bench.add(`one body, ${work.name}`, () => work(slots.slot(0), lengths[0]!));
    bench.add(`32 bodies in turn, ${work.name}`, () => {
      turn = (turn + 1) % bodyCount;
      work(slots.slot(turn), lengths[turn]!);
    });
  }
  await bench.run();
  const medians = bench.tasks.map(({ name, result }) => {
    if (result.state !== "completed") throw new Error(`the bench of ${name} did not complete`);
    return (result.latency.p50 * 1e6) / batchSize;
  });
  for (const [index, name] of ["one body", "32 bodies in turn"].entries()) {
    const figures = [medians[index]!, medians[index + 2]!].map((value) => value.toFixed(0).padStart(9));
    print(`${`${spelling}, ${name}`.padEnd(37)}${figures.join("")}`);
  }
}
