import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { runInChild } from "./child.ts";

/** `bankcheck serve`: starts the service, with the settings of `npm start` as options. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Starts the service; serve --help lists its settings.")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument("[settings...]", "as --port 8080")
    .action(async (settings: string[]) => {
      const service = fileURLToPath(new URL("../main.js", import.meta.url));
      // In a process of its own, since the command line bounds its heap.
      process.exitCode = await runInChild([service, ...settings]);
    });
}
