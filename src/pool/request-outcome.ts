import type { Slot } from "./slots.ts";

/**
 * The outcome of an accepted request: its answer or error is in its slot; its task threw, or ended its worker thread; no
 * worker was there to begin it; it ran too long; it was refused after all, because it waited too long or yielded its place
 * to another key; its client closed the connection before a worker began it.
 */
export type RequestOutcome = "answered" | "threw" | "crashed" | "unbegun" | "late" | "refused" | "abandoned";

/** Called once for an accepted request. */
export type RequestDone = (slot: Slot, outcome: RequestOutcome) => void;
