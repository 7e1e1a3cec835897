import { Command } from "commander";
import { type ConnectionOptions, prompt, withConnection } from "../connection.ts";
import { examples } from "../program.ts";

/** Offline until it is given an address; it may run for days. */
const defaults = { ...prompt, url: undefined, offline: { ...prompt.offline, followsData: true } };

/** `bankcheck mcp`: the checks as tools for assistants, over standard input and output. */
export function mcpCommand(): Command {
  const command = new Command("mcp")
    .description(
      "Serve the checks to an assistant over the Model Context Protocol on standard input and output; offline unless a service is named.",
    )
    .addHelpText("after", examples("mcp", "mcp --url https://bankcheck.example --key-file key"))
    .action(async (options: Partial<ConnectionOptions>) => {
      const { serveTools } = await import("./serve.ts");
      await serveTools(options, defaults);
    });
  return withConnection(command, defaults);
}
