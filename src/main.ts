// Signals may come before the modules are loaded. SIGHUP would end the process, though the data is about to be read;
// SIGTERM would not end one that is the first in its container.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
process.on("SIGHUP", () => {});

const { run } = await import("./service/run.ts");
await run(process.argv.slice(2));
