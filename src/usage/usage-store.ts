/** How much one key was used on one day. */
export interface UsageAddition {
  /** Name of the key's holder. */
  readonly name: string;
  /** Id of the key. */
  readonly key: string;
  /** Day in UTC, `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

/** How much one key was used in a period: a day (`2026-11-21`), a month (`2026-11`) or `total`. */
export interface UsageCount {
  readonly key: string;
  readonly period: string;
  readonly count: number;
}

/** Where usage is kept; several processes may write to the same store. */
export interface UsageStore {
  /**
   * Adds all or nothing. Rejects where that cannot be done or it is not known whether it was; then the same additions
   * are to be sent again with the same sequence number, and are added once however often they are sent.
   *
   * `writer` is unique to the process, `sequence` grows with every new list of additions.
   */
  add(writer: string, sequence: number, additions: readonly UsageAddition[]): Promise<void>;
  /** Gives what is known of a holder's keys in some periods; keys and periods without usage are left out. */
  read(name: string, periods: readonly string[]): Promise<readonly UsageCount[]>;
  /** Gives the names of all holders that have used the service, in order. */
  names(): Promise<readonly string[]>;
  /** Lets go of the store; nothing may be called afterwards. */
  close(): Promise<void>;
}

/** The period that never ends. */
export const wholeTime = "total";

/** Gives the day of a time in milliseconds since 1970, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Gives the month of a day. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** Gives the periods to which what is used on a day counts. */
export function periodsOf(day: string): readonly string[] {
  return [day, monthOf(day), wholeTime];
}
