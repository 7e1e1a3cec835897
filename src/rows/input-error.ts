import { type Message, textOf } from "../contract/message.ts";

/** Something about input, output or options that keeps a file from being checked; the message is for the person. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The message in any language, where it has an id. */
  readonly told: Message | undefined;

  constructor(told: string | Message) {
    super(typeof told === "string" ? told : textOf(told, "en"));
    this.told = typeof told === "string" ? undefined : told;
  }
}
