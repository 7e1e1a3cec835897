import type { Session } from "./session.ts";

/** One of the page's views; it keeps what it shows while another one is open. */
export interface View {
  /** Shows itself as the only content of an element, in the session's language. */
  open(into: HTMLElement, session: Session): void;
  /** Ends what only its display needs; told before another view opens. */
  close(): void;
  /** Goes on in the session's language; told only while it is open. */
  speak(): void;
}
