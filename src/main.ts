import { setFlagsFromString } from "node:v8";

// The heaps of a service that has run for a while hold little and see much pass through: V8 would let garbage grow to
// three times what is in use before it collects it, and resident memory would rise and fall with it.
setFlagsFromString("--heap-growing-percent=40");

// A collection of the young generation takes this thread a third of a millisecond. With helping threads it takes as long
// as they wait for a processor, which is several on a busy machine.
setFlagsFromString("--no-parallel-scavenge");

// Signals may come before the modules are loaded. SIGHUP would end the process, though the data is about to be read;
// SIGTERM would not end one that is the first in its container.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
process.on("SIGHUP", () => {});

const { run } = await import("./service/run.ts");
await run(process.argv.slice(2));
