import { type FileLock, takeLock } from "../../process/file-lock.ts";
import { InputError } from "../../rows/rows.ts";

/** Takes the lock of an output, `checked.csv.lock` next to it. Throws an InputError while another run holds it. */
export async function lockOutput(output: string): Promise<FileLock> {
  const path = `${output}.lock`;
  const lock = await takeLock(path);
  if (typeof lock !== "string") return lock;
  throw new InputError(`Another run (${lock}) is writing to ${output}. If there is none, remove ${path}.`);
}
