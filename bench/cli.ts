import { execFileSync } from "node:child_process";
import { Command, InvalidArgumentError } from "commander";
import { minTargetSeconds, standardLoads } from "./target/plan.ts";

/*
 * `npm run bench`, `tune` and `overload`: reads the command line, builds the service and starts the command. Help and wrong
 * options end it before the build.
 */

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

const number = (bounds: Bounds) => (text: string) => readNumbers([text], "a ", bounds)[0]!;

/** Reads an option that takes numbers with commas between them; returns each once, in ascending order. */
const numbers = (bounds: Bounds) => (text: string) =>
  [...new Set(readNumbers(text.split(","), "", bounds))].sort((a, b) => a - b);

function readNumbers(parts: readonly string[], article: string, { min, max, isWhole = false }: Bounds) {
  const values = parts.map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (values.every((value) => value >= min && value <= max && (!isWhole || Number.isInteger(value)))) {
    return values;
  }
  const kind = `${article}${isWhole ? "whole " : ""}number${article === "" ? "s" : ""}`;
  throw new InvalidArgumentError(`It takes ${kind} from ${min} to ${max}.`);
}

const rounds = { min: 1, max: 99, isWhole: true };
const seconds = { min: 0.1, max: 600 };
const rates = { min: 1, max: 100_000 };
const rows = { min: 1, max: 1e8, isWhole: true };
const output = ["--output <file>", "HTML report; the JSON result goes beside it"] as const;

/** Builds the service, then runs the module of a command with its options. */
function runs(load: () => Promise<{ run(options: never): Promise<void> }>) {
  return async (options: unknown) => {
    execFileSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "ignore", "inherit"] });
    await (await load()).run(options as never);
  };
}

const commands = [
  new Command("bench")
    .description("Measures the service beside its baselines, or a service that runs elsewhere.")
    .option("--only <ids>", "ids that begin so; stream, file, beside only here", "")
    .option("--rounds <n>", "interleaved rounds", number(rounds), 5)
    .option("--seconds <s>", "length of a measurement", number(seconds), 2)
    .option("--rows <n>", "rows of a stream or file", number(rows), 1_000_000)
    .option("--save", "also write bench/baseline.json and the chart")
    .option("--check", "fail where a ratio is far below bench/baseline.json")
    .option("--against <folder>", "take turns with another, built checkout")
    .option("--compare <files...>", "compare the JSON results of two runs")
    .option(...output)
    .option("--target <url>", "load-test the service there with BANKCHECK_KEY")
    .option("--load <kind>", "kind of one load: singles, batches, mix", "singles")
    .option("--rate <n>", "one load of N requests per second", number(rates))
    .option("--connections <n>", "one load, over N connections", number({ ...rounds, max: 4_096 }))
    .option("--duration <s>", "seconds of all loads together", number({ min: 0.5, max: 86_400 }), 60)
    .option("--max-singles <n>", "most single checks per second", number(rates), 1_000)
    .option("--max-batches <n>", "most batches of 500 per second", number(rates), 50)
    .option("--max-p99 <ms>", "exit code 2 for a load with a higher p99", number({ min: 0.001, max: 1e6 }))
    .option("--max-refused <percent>", "exit code 2 for more refusals", number({ min: 0, max: 100 }))
    .addHelpText(
      "after",
      `
The options from --target on are those of a load test. Without --rate and
--connections it has ${standardLoads} loads and takes at least ${minTargetSeconds} seconds.`,
    )
    .action(runs(() => import("./bench.ts"))),
  new Command("tune")
    .description("Finds POOL_SIZE and POOL_QUEUE for this machine.")
    .option("--quick", "three minutes instead of twenty, less certain")
    .option("--sizes <list>", "pool sizes to try", numbers({ min: 1, max: 64, isWhole: true }))
    .option("--queues <list>", "queues to try, in places per worker", numbers({ min: 0.01, max: 1_024 }))
    .option("--levels <list>", "loads as multiples of the capacity", numbers({ min: 0.01, max: 10 }))
    .option("--rounds <n>", "interleaved rounds", number(rounds))
    .option("--seconds <s>", "length of a measurement", number(seconds))
    .option(...output)
    .action(runs(() => import("./tune.ts"))),
  new Command("overload")
    .description("Offers up to ten times the capacity; fails where a bound is missed.")
    .option("--short", "the form for CI: less time, no bounds of speed")
    .option(...output)
    .action(runs(() => import("./overload.ts"))),
];

const [, , name, ...words] = process.argv;
const command = commands.find((each) => each.name() === name)!;
await command.configureHelp({ helpWidth: 80 }).parseAsync(words, { from: "user" });
