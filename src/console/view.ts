import type { Session } from "./session.ts";

/** One of the page's views; it keeps what it shows while another one is open. */
export interface View {
  /** Whether it shows nothing without an API key. */
  readonly needsKey: boolean;
  /** Shows itself as the only content of an element, in the session's language. */
  open(into: HTMLElement, session: Session): void;
  /** Ends what only its display needs; called before another view opens. */
  close(): void;
  /** Shows itself in the session's language; called only while it is open. */
  setLanguage(): void;
}
