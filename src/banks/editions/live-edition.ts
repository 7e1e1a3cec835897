import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { BankList, HealthAnswer, RegisterList } from "../../contract/api-types.ts";
import { oldFromDays } from "../../contract/limits.ts";
import type { DirectoryEdition } from "../directory/record.ts";
import { datasets } from "../files/datasets.ts";
import { addDays, berlinDay, daysBetween } from "./days.ts";
import { rejectionReason } from "./edition.ts";
import type { ListAge, LoadedEdition } from "./load.ts";

/** An edition of the Bundesbank is valid for 13 or 14 weeks. Where the data does not say it, the longer is assumed. */
const maxValidity = 14 * 7;

const noEdition: DirectoryEdition = { german: "", other: "" };

/** Source of new editions of the bank data. */
export interface EditionSource {
  /** Reads the edition of a day into the room given. */
  readonly load: (day: string, room: Uint8Array) => Promise<LoadedEdition>;
  /** Puts an edition into use: lets `write` fill its room and return its name; nothing changes when that fails. */
  readonly replace: (write: (room: Uint8Array) => Promise<string>) => Promise<void>;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

export type EditionFacts = HealthAnswer["data"];

/** Thrown if an edition is valid but must wait. */
class EditionNotReady extends Error {}

/** The edition of the bank data in use, and how it is replaced by another one while the service runs. */
export class LiveEdition {
  /** First day of the next edition; null if there is none yet. */
  next: string | null = null;
  readonly #source: EditionSource;
  #inUse: LoadedEdition | undefined;
  /** The day that it was loaded for. */
  #day = "";
  #loadedAt: string | null = null;
  #tag = "";
  #loads = 0;
  #refusals = 0;
  #lastRefusal: EditionFacts["last_refusal"] = null;
  /** The day on which the log last said what has expired or is old. */
  #warnedOn = "";

  constructor(source: EditionSource) {
    this.#source = source;
  }

  /** Whether other data must be used on a day: the next has begun, a local entry has expired, or the clock was set back. */
  isDue(day: string): boolean {
    const { localUntil = null } = this.#inUse ?? {};
    const hasBegun = this.next !== null && this.next <= day;
    return hasBegun || (localUntil !== null && localUntil < day) || day < this.#day;
  }

  /**
   * Loads the edition of a day and puts it into use; false if it was refused, never rejects.
   *
   * A damaged, older or truncated edition is refused: the one in use stays, and log and facts say so. One whose first
   * day is in the future waits for it, unless there is none in use. `isUnchanged` is called before a loaded edition is
   * judged; if it returns false, the files must be read again; nothing is logged. A loaded edition is put into use once
   * `whenDue` resolves; where that is false, it is not.
   */
  async load(
    day: string,
    isUnchanged: () => Promise<boolean>,
    whenDue?: () => Promise<boolean>,
  ): Promise<boolean> {
    const { load, replace, log } = this.#source;
    const began = performance.now();
    let ms = 0;
    try {
      let edition!: LoadedEdition;
      await replace(async (room) => {
        edition = await load(day, room).catch(async (error: unknown) => {
          throw (await isUnchanged()) ? error : new EditionNotReady();
        });
        if (!(await isUnchanged())) throw new EditionNotReady();
        this.#judge(edition, day);
        ms = Math.round(performance.now() - began);
        if (whenDue !== undefined) {
          const { german } = edition.edition;
          log.info({ edition: german, ms }, "the next edition of the bank data is loaded for its first day");
          if (!(await whenDue())) throw new EditionNotReady();
        }
        return edition.edition.german;
      });
      this.#inUse = edition;
      this.#day = day;
      this.#tag = createHash("sha256").update(JSON.stringify(edition)).digest("base64url").slice(0, 16);
      this.next = edition.nextChange;
      this.#loads++;
      this.#loadedAt = new Date(this.#source.now()).toISOString();
      log.info({ edition: edition.edition, banks: edition.recordCount, ms }, "the bank data was loaded");
      return true;
    } catch (error) {
      if (error instanceof EditionNotReady) return true;
      this.#refuse(error);
      return false;
    }
  }

  warnOfSilence(seconds: number): void {
    this.#source.log.error({ seconds }, "the data folder does not answer; the bank data in use stays");
  }

  /** Warns in the log, once a day, of an edition past its end and of old lists. */
  warnOfAge(day: string): void {
    if (this.#inUse === undefined || this.#warnedOn === day) return;
    this.#warnedOn = day;
    const { log } = this.#source;
    const end = this.#validUntil;
    if (end !== undefined && day > end) {
      const edition = this.#inUse.edition.german;
      log.warn({ edition, valid_until: end }, "the bank data has expired and stays in use");
    }
    const old = this.#inUse.lists.filter(({ edition }) => edition !== null && ageOf(edition, day).is_old);
    if (old.length === 0) return;
    const lists = old.map(({ country }) => country).join();
    log.warn(
      { lists },
      `${old.length} lists of banks are ${oldFromDays} days old or older; bankcheck data update --issuers all imports newer ones where the issuer publishes them`,
    );
  }

  get facts(): EditionFacts {
    const { german, other, scl } = this.#inUse?.edition ?? noEdition;
    const today = berlinDay(this.#source.now());
    const end = this.#validUntil;
    return {
      edition: german,
      age_days: german === "" ? null : daysBetween(german, today),
      other_countries: other,
      valid_until: end ?? null,
      expired: end !== undefined && today > end,
      next_edition: this.next,
      loaded_at: this.#loadedAt,
      loads: this.#loads,
      refusals: this.#refusals,
      last_refusal: this.#lastRefusal,
      sepa_methods: scl === undefined ? "assumed" : "directory",
      sepa_edition: scl ?? null,
    };
  }

  get lists(): readonly BankList[] {
    const today = berlinDay(this.#source.now());
    return (this.#inUse?.lists ?? []).map(({ country, dataset, edition, ...list }) => {
      return { country, dataset, edition, ...ageOf(edition, today), ...list };
    });
  }

  /** The lists in use that are not those of a country's banks, with their age. */
  get registers(): readonly RegisterList[] {
    const today = berlinDay(this.#source.now());
    return (this.#inUse?.registers ?? []).map(({ dataset, edition, ...list }) => {
      return { dataset, title: datasets[dataset].title, edition, ...ageOf(edition, today), ...list };
    });
  }

  /** A text that changes with the bank data in use, and every day: the age of a list and the reach of a bank do. */
  get tag(): string {
    return `${this.#tag}-${berlinDay(this.#source.now())}`;
  }

  get #validUntil(): string | undefined {
    if (this.#inUse === undefined) return undefined;
    return this.#inUse.validUntil ?? addDays(this.#inUse.edition.german, maxValidity - 1);
  }

  #judge(edition: LoadedEdition, day: string): void {
    const reason = rejectionReason(edition, this.#inUse, day);
    if (reason !== undefined) throw new Error(reason);
    const { german } = edition.edition;
    if (this.#inUse === undefined || german <= day) return;
    this.next = german;
    this.#source.log.info({ edition: german }, "the next edition of the bank data waits for its first day");
    throw new EditionNotReady();
  }

  #refuse(error: unknown): void {
    const { log, now } = this.#source;
    this.#refusals++;
    this.#lastRefusal = { at: new Date(now()).toISOString(), reason: (error as Error).message };
    const edition = this.#inUse?.edition.german;
    const outcome =
      edition === undefined
        ? "could not be loaded; checks answer configuration_error"
        : "was refused; the edition in use stays";
    log.error({ err: error, edition }, `the bank data ${outcome}`);
  }
}

/** Returns the age of an edition on a day: "2025-09" begins on the first of the month, "2019" on New Year's Day. */
export function ageOf(edition: string | null, today: string): ListAge {
  if (edition === null) return { age_days: null, is_old: true };
  const days = daysBetween(edition, today);
  return { age_days: days, is_old: days >= oldFromDays };
}
