import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { newFolder } from "./folders.ts";
import { commandEntry } from "./start-command.ts";

/** The end of a command that ran in this process. */
export interface EndHere {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

const entry = pathToFileURL(commandEntry).href;
/** Receives what a command writes to the descriptor of standard output, past the stream. */
const descriptorFile = join(newFolder(), "stdout");
let runs = 0;

/**
 * Runs the compiled `bankcheck` in this process, with an environment of its own; takes a tenth of a process's time. One at
 * a time.
 */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<EndHere> {
  const { argv, env, exitCode, stdout, stderr } = process;
  const [report, print] = [stdout.write, stderr.write];
  const listeners = [stdout, stderr].map((stream) => stream.listeners("error"));
  const descriptor = openSync(descriptorFile, "w");
  const fd = Object.getOwnPropertyDescriptor(stdout, "fd");
  let [written, printed] = ["", ""];
  process.argv = [process.execPath, commandEntry, ...args];
  process.env = { ...environment };
  process.exitCode = undefined;
  Object.defineProperty(stdout, "fd", { value: descriptor, configurable: true });
  stdout.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    // The test runner reports in bytes, commands write text.
    if (typeof text !== "string") return Reflect.apply(report, stdout, [text, ...rest]) as boolean;
    written += text;
    return true;
  };
  stderr.write = (text: string | Uint8Array) => {
    printed += text.toString();
    return true;
  };
  try {
    // Each copy of the module is a run.
    await import(`${entry}?run=${runs++}`);
    const direct = readFileSync(descriptorFile, "utf8");
    return { exit: Number(process.exitCode ?? 0), stdout: written + direct, stderr: printed };
  } finally {
    closeSync(descriptor);
    if (fd !== undefined) Object.defineProperty(stdout, "fd", fd);
    [stdout.write, stderr.write] = [report, print];
    for (const [index, stream] of [stdout, stderr].entries()) {
      for (const listener of stream.listeners("error"))
        if (!listeners[index]!.includes(listener)) stream.off("error", listener as () => void);
    }
    Object.assign(process, { argv, env, exitCode });
  }
}

/** Runs `check` or `generate` over an input; what it writes goes through a file in the folder. */
export async function checkHere(
  folder: string,
  [name = "", ...args]: readonly string[],
  input: Buffer | string,
  environment: Readonly<Record<string, string>>,
): Promise<EndHere & { readonly output: Buffer }> {
  const [file, output] = [join(folder, "here.input"), join(folder, "here.output")];
  writeFileSync(file, input);
  const end = await runHere([name, file, "--output", output, "--force", ...args], environment);
  const written = readFileSync(output, { flag: "a+" });
  for (const path of [file, output]) rmSync(path, { force: true });
  return { ...end, output: written };
}
