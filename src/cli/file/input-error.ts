/** Something about the input that keeps it from being checked; the message is one sentence for the person. */
export class InputError extends Error {
  override readonly name = "InputError";
}
