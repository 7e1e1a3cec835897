import { writeSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

// The heaps of a service that has run for a while hold little and see much pass through: V8 would let garbage grow to
// three times what is in use before it collects it, and resident memory would rise and fall with it.
setFlagsFromString("--heap-growing-percent=40");

// A collection of the young generation takes this thread a third of a millisecond. With helping threads it takes as long
// as they wait for a processor, which is several on a busy machine.
setFlagsFromString("--no-parallel-scavenge");

// Signals may come before the modules are loaded. SIGHUP would end the process, though the data is about to be read;
// SIGTERM would not end one that is the first in its container. Their listeners stay: one that is replaced loses the
// signal that has come and was not yet handled.
let stop: (signal: NodeJS.Signals) => void = () => process.exit(0);
for (const signal of ["SIGTERM", "SIGINT", "SIGQUIT", "SIGALRM"] as const)
  process.on(signal, () => stop(signal));
// Tools that rotate logs send the last two, which would open a debugger and end the process.
for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => {});

try {
  const { run } = await import("./service/run.ts");
  await run(process.argv.slice(2), (stopService) => {
    stop = stopService;
  });
} catch (error) {
  // The modules cannot be read, and so nothing that would write a log.
  writeSync(2, `The service cannot be loaded: ${(error as Error).message}\n`);
  process.exit(1);
}
