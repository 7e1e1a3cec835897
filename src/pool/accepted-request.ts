import type { RequestWeight } from "./occupancy.ts";
import type { Slot, SlotSize } from "./slots.ts";
import type { Tenant } from "./tenant.ts";

/**
 * The outcome of an accepted request: its answer or error is in its slot; its task threw, or ended its worker thread; it
 * came to no worker; it took too long; it yielded its place to another key, or no worker began it in time; its client
 * closed the connection before a worker began it.
 */
export type RequestOutcome = "answered" | "threw" | "crashed" | "unbegun" | "late" | "refused" | "abandoned";

/** Called once for an accepted request. */
export type RequestDone = (slot: Slot, outcome: RequestOutcome) => void;

const noop: RequestDone = () => {};

/** Where an accepted request is: nowhere any more, in the queue, or in the ring from which workers take. */
export const Place = { none: 0, queue: 1, ring: 2 } as const;

/** What the main thread knows of the request in a slot: one object for each slot, which is used again. */
export class AcceptedRequest {
  readonly slot: Slot;
  readonly size: SlotSize;
  /** How many were accepted before it and with it; 0 while the slot is free. */
  number = 0;
  tenant!: Tenant;
  weight: RequestWeight = "light";
  done = noop;
  /** The tick at which it came (see `RequestAges`); 0 if its age does not count. */
  since = 0;
  place: (typeof Place)[keyof typeof Place] = Place.none;
  /** Expected cost of its task, in microseconds. */
  expected = 0;
  /** Its neighbours among those of its tenant that wait, in order of arrival. */
  previous: AcceptedRequest | undefined;
  next: AcceptedRequest | undefined;

  constructor(slot: Slot, size: SlotSize) {
    this.slot = slot;
    this.size = size;
  }

  /** Forgets who is told of its end: a late one was, and its task may still come back. */
  detach(): RequestDone {
    const { done } = this;
    this.done = noop;
    return done;
  }
}
