import { type Command, Option } from "commander";

/** When answers are coloured. */
export interface ColourOptions {
  readonly color?: "auto" | "always" | "never";
}

/** Adds the option that says when answers are coloured. */
export function withColour(command: Command): Command {
  return command.addOption(
    new Option("--color <when>", "colour the answer: auto is on terminals without NO_COLOR")
      .choices(["auto", "always", "never"])
      .default("auto"),
  );
}

/** Whether an answer is coloured. Source: no-color.org. */
export function isColoured({ color = "auto" }: ColourOptions): boolean {
  if (color !== "auto") return color === "always";
  return process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
}

/** Colours of results, and of nothing in particular. */
export type Colour = "green" | "red" | "yellow" | "dim";

const codes: Readonly<Record<Colour, number>> = { green: 32, red: 31, yellow: 33, dim: 2 };

/** Writes text in a colour on a terminal. */
export function inColour(text: string, colour: Colour, isOn: boolean): string {
  return isOn ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}
