/** The service cannot start for a reason outside the program; the message is one sentence for whoever starts it. */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
