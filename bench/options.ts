import { type ParseArgsConfig, parseArgs } from "node:util";

/** Reads the command line of a bench; what it does not know ends the process with one sentence. */
export function optionsOf<const T extends NonNullable<ParseArgsConfig["options"]>>(options: T) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const [what] = (error as Error).message.split(/\.[ \n]|\.$|\n/);
    const known = Object.keys(options).map((name) => `--${name}`);
    fail(`${what}. Options: ${known.join(", ")}`);
  }
}

/** Ends the process with a sentence that says what is wrong. */
export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
