import { type CheckEntry, textOf } from "../../contract/message.ts";
import { element } from "../element.ts";
import type { Language } from "../words.ts";
import type { CheckAnswer } from "./answer.ts";

/** What the service says of the whole check, in the language of the page. */
export function messageOf({ data }: CheckAnswer, language: Language): HTMLElement {
  return element("p", "detail", textOf(data.messages, language));
}

/** What the service says of one check; undefined where it says nothing. */
export function detailOf({ messages }: CheckEntry, language: Language): HTMLElement | undefined {
  return messages === undefined ? undefined : element("span", "detail", textOf(messages, language));
}
