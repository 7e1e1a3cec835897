import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { runInChild } from "./child.ts";
import { type ConnectionOptions, interactiveDefaults, withConnection } from "./connection.ts";
import { examples } from "./program.ts";

export function serveCommand(): Command {
  return new Command("serve")
    .description("Start the service; serve --help lists its settings.")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument("[settings...]", "settings as flags, as in --port 8080")
    .action(async (settings: string[]) => {
      const service = fileURLToPath(new URL("../main.js", import.meta.url));
      // In a separate process, since the command line bounds its heap.
      process.exitCode = await runInChild([service, ...settings]);
    });
}

/** Offline until it is given an address, since one that is set for other commands sends no number away; it may run for days. */
const defaults = { ...interactiveDefaults, url: undefined, followsData: true };

export function mcpCommand(): Command {
  const command = new Command("mcp")
    .description(
      "Serve the checks to an assistant over the Model Context Protocol on standard input and output; offline unless --url names a service.",
    )
    .addHelpText("after", examples([], "mcp", "mcp --url https://bankcheck.example --key-file key"))
    .action(async (options: Partial<ConnectionOptions>) => {
      const { serveTools } = await import("./mcp/serve.ts");
      await serveTools(options, defaults);
    });
  return withConnection(command, defaults);
}
