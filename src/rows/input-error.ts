/** Something about input, output or options that keeps a file from being checked; the message is for the person. */
export class InputError extends Error {
  override readonly name = "InputError";
}
