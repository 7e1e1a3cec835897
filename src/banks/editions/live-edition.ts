import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { BankList, HealthAnswer, RegisterList } from "../../contract/api-types.ts";
import { oldFromDays } from "../../contract/limits.ts";
import { datasets } from "../files/datasets.ts";
import { addDays, berlinDay, daysBetween } from "./days.ts";
import { rejectionReason } from "./edition.ts";
import type { LoadedEdition } from "./load.ts";

/** An edition of the Bundesbank is valid for 13 or 14 weeks. Where the data does not say it, the longer is assumed. */
const maxValidity = 14 * 7;

export interface EditionSource {
  /** Reads the edition of a day into the room given. */
  readonly load: (day: string, room: Uint8Array) => Promise<LoadedEdition>;
  /** Puts an edition into use: lets `write` fill its room and return its name; nothing changes when that fails. */
  readonly replace: (write: (room: Uint8Array) => Promise<string>) => Promise<void>;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

type EditionFacts = HealthAnswer["data"];

/** Thrown if an edition is valid but must wait. */
class EditionNotReady extends Error {}

export type LiveEdition = ReturnType<typeof liveEdition>;

/** The edition of the bank data in use, and how it is replaced by another one while the service runs. */
export function liveEdition({ load, replace, now, log }: EditionSource) {
  let inUse: LoadedEdition | undefined;
  /** The day that it was loaded for. */
  let loadedFor = "";
  let next: string | null = null;
  let digest = "";
  const history: Pick<EditionFacts, "loaded_at" | "loads" | "refusals" | "last_refusal"> = {
    loaded_at: null,
    loads: 0,
    refusals: 0,
    last_refusal: null,
  };
  /** The day on which the log last said what has expired or is old. */
  let warnedOn = "";

  const today = () => berlinDay(now());
  const validUntil = () => inUse && (inUse.validUntil ?? addDays(inUse.edition.german, maxValidity - 1));

  return {
    /** First day of the next edition; null if there is none yet. */
    get next(): string | null {
      return next;
    },

    /** Whether other data must be used on a day: the next has begun, a local entry has expired, or the clock was set back. */
    isDue(day: string): boolean {
      const { localUntil = null } = inUse ?? {};
      const hasBegun = next !== null && next <= day;
      return hasBegun || (localUntil !== null && localUntil < day) || day < loadedFor;
    },

    /**
     * Loads the edition of a day and puts it into use; false if it was refused, never rejects.
     *
     * A damaged, older or truncated edition is refused: the one in use stays, and log and facts say so. One whose first
     * day is in the future waits for it, unless there is none in use. `isUnchanged` is called before a loaded edition is
     * judged or refused; if it returns false, the files must be read again; nothing is logged. A loaded edition is put into
     * use once `whenDue` resolves; where that is false, it is not.
     */
    async load(
      day: string,
      isUnchanged: () => Promise<boolean>,
      whenDue?: () => Promise<boolean>,
    ): Promise<boolean> {
      const began = performance.now();
      let ms = 0;
      try {
        let edition!: LoadedEdition;
        await replace(async (room) => {
          edition = await load(day, room);
          if (!(await isUnchanged())) throw new EditionNotReady();
          const reason = rejectionReason(edition, inUse, day);
          if (reason !== undefined) throw new Error(reason);
          const { german } = edition.edition;
          if (inUse !== undefined && german > day) {
            next = german;
            log.info({ edition: german }, "the next edition of the bank data waits for its first day");
            throw new EditionNotReady();
          }
          ms = Math.round(performance.now() - began);
          if (whenDue !== undefined) {
            log.info(
              { edition: german, ms },
              "the next edition of the bank data is loaded for its first day",
            );
            if (!(await whenDue())) throw new EditionNotReady();
          }
          return german;
        });
        inUse = edition;
        loadedFor = day;
        digest = createHash("sha256").update(JSON.stringify(edition)).digest("base64url").slice(0, 16);
        next = edition.nextChange;
        history.loads++;
        history.loaded_at = new Date(now()).toISOString();
        log.info({ edition: edition.edition, banks: edition.recordCount, ms }, "the bank data was loaded");
        return true;
      } catch (error) {
        if (error instanceof EditionNotReady || !(await isUnchanged())) return true;
        history.refusals++;
        history.last_refusal = { at: new Date(now()).toISOString(), reason: (error as Error).message };
        const edition = inUse?.edition.german;
        const outcome =
          edition === undefined
            ? "could not be loaded; checks answer configuration_error"
            : "was refused; the edition in use stays";
        log.error({ err: error, edition }, `the bank data ${outcome}`);
        return false;
      }
    },

    warnOfSilence(seconds: number): void {
      log.error({ seconds }, "the data folder does not answer; the bank data in use stays");
    },

    /** Warns in the log, once a day, of an edition past its end and of old lists. */
    warnOfAge(day: string): void {
      if (inUse === undefined || warnedOn === day) return;
      warnedOn = day;
      const end = validUntil()!;
      if (day > end) {
        const edition = inUse.edition.german;
        log.warn({ edition, valid_until: end }, "the bank data has expired and stays in use");
      }
      const old = inUse.lists.filter(({ edition }) => edition !== null && ageOf(edition, day).is_old);
      if (old.length === 0) return;
      const lists = old.map(({ country }) => country).join();
      log.warn(
        { lists },
        `${old.length} lists of banks are ${oldFromDays} days old or older; bankcheck data update --issuers all imports newer ones where the issuer publishes them`,
      );
    },

    get facts(): EditionFacts {
      const { german = "", other = "", scl }: Partial<LoadedEdition["edition"]> = inUse?.edition ?? {};
      const end = validUntil();
      return {
        edition: german,
        age_days: german === "" ? null : daysBetween(german, today()),
        other_countries: other,
        valid_until: end ?? null,
        expired: end !== undefined && today() > end,
        next_edition: next,
        ...history,
        sepa_methods: scl === undefined ? "assumed" : "directory",
        sepa_edition: scl ?? null,
      };
    },

    get lists(): readonly BankList[] {
      return (inUse?.lists ?? []).map(({ country, dataset, edition, ...list }) => {
        return { country, dataset, edition, ...ageOf(edition, today()), ...list };
      });
    },

    /** The lists in use that are not those of a country's banks, with their age. */
    get registers(): readonly RegisterList[] {
      return (inUse?.registers ?? []).map(({ dataset, edition, ...list }) => {
        return { dataset, title: datasets[dataset].title, edition, ...ageOf(edition, today()), ...list };
      });
    },

    /** A text that changes with the bank data in use, and every day: the age of a list and the reach of a bank do. */
    get tag(): string {
      return `${digest}-${today()}`;
    },
  };
}

/**
 * Returns the age of an edition on a day, null if its source names no first day, and whether it is old or may be: "2025-09"
 * begins on the first of the month, "2019" on New Year's Day.
 */
export function ageOf(edition: string | null, today: string) {
  const days = edition === null ? null : daysBetween(edition, today);
  return { age_days: days, is_old: days === null || days >= oldFromDays };
}
