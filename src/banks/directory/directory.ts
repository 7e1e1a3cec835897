import { fullBic, isOfInstitution } from "../../banking/bic.ts";
import type { RuleBank } from "../../banking/germany/iban-rules/draft.ts";
import { type IbanCountry, ibanCountryByCode } from "../../banking/iban/registry.ts";
import { bbanStart } from "../../banking/iban/structure.ts";
import type { BbanSpan } from "../../banking/national/weighted.ts";
import { equalRange, type Range } from "../search/packed-arrays.ts";
import * as layout from "./directory-layout.ts";
import type { BankRecord, DirectoryEdition, FormerBic, OtherBics } from "./record.ts";
import { readRecord, readTextOrNull } from "./record-bytes.ts";

type BankKey = Pick<BankRecord, "country" | "bankCode">;

/**
 * Reads a bank directory in place and from any thread.
 *
 * A record is named by its index, 0 to `size` − 1. The methods marked hot neither allocate nor check the index:
 * pass only one that a `find` method returned (not -1).
 */
export class BankDirectory {
  readonly parts: layout.DirectoryParts;
  readonly edition: DirectoryEdition;
  /** Number of records, further locations included. */
  readonly size: number;
  /** Number of German records, further locations included; they have the indices 0 to `germanCount` − 1. */
  readonly germanCount: number;
  readonly bytes: Buffer;
  readonly #view: DataView;
  readonly #bankTable: number;
  readonly #bankShift: number;
  /** Bank and branch code that are looked for, as a record has them, and the same as words. */
  readonly #key = new Uint8Array(16);
  readonly #keyWords = new Int32Array(this.#key.buffer);
  readonly #ruleBanks = new Map<number, RuleBank>();

  /** @param parts what `buildDirectory` returned; its bytes may begin anywhere, aligned or not. */
  constructor(parts: layout.DirectoryParts) {
    this.parts = parts;
    const { buffer, byteOffset, byteLength } = parts.bytes;
    this.bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.edition = parts.edition;
    this.size = parts.recordCount;
    this.germanCount = parts.germanCount;
    this.#bankTable = layout.recordPlace(this.size);
    this.#bankShift = layout.cellShift(parts.bankCells);
  }

  editionOf(country: string): string {
    const { german, other, lists } = this.edition;
    return country === "DE" ? german : (lists?.[country] ?? other);
  }

  /** Finds the record of a whole bank by its country and bank code, in ASCII; -1 if there is none. */
  findByCode(country: string, bankCode: string): number {
    if (bankCode.length > layout.CODE_BYTES.bank) return -1;
    this.#clearKey();
    for (let at = 0; at < bankCode.length; at++) this.#key[at] = bankCode.charCodeAt(at);
    return this.#find(ibanCountryByCode(country)?.index ?? -1);
  }

  /**
   * Finds the record of the branch of an IBAN, or else that of the whole bank; -1 where there is neither. A bank known by
   * its branches only is not found for any other. Hot.
   *
   * Source: SWIFT IBAN Registry, release 102, "bank identifier position" and "branch identifier position".
   *
   * @param iban ASCII that fits the country's structure.
   */
  findByIban({ index, bank, branch }: IbanCountry, iban: Uint8Array): number {
    this.#clearKey();
    this.#copyCode(iban, bank, 0);
    if (this.parts.branchCount > 0 && branch !== null) {
      this.#copyCode(iban, branch, layout.record.branchCode);
      const found = this.#find(index);
      if (found >= 0) return found;
      this.#key.fill(0, layout.record.branchCode);
    }
    return this.#find(index);
  }

  #clearKey(): void {
    for (let word = 0; word < 4; word++) this.#keyWords[word] = 0;
  }

  #copyCode(iban: Uint8Array, { start, length }: BbanSpan, to: number): void {
    for (let at = 0; at < length; at++) this.#key[to + at] = iban[bbanStart + start + at]!;
  }

  /** Finds the record of a country with the codes in `#key`. */
  #find(country: number): number {
    const [view, words] = [this.#view, this.#keyWords];
    const { bankCells } = this.parts;
    let cell = layout.hashBankKey(country, words) >>> this.#bankShift;
    for (;;) {
      const record = view.getUint32(this.#bankTable + cell * layout.CELL_BYTES, true);
      if (record === 0) return -1;
      if (
        view.getInt32(record, true) === words[0] &&
        view.getInt32(record + 4, true) === words[1] &&
        view.getInt32(record + 8, true) === words[2] &&
        view.getInt32(record + 12, true) === words[3] &&
        view.getUint8(record + layout.record.country) === country
      ) {
        return record / layout.RECORD_BYTES - 1;
      }
      cell = (cell + 1) & (bankCells - 1);
    }
  }

  /** Returns the index of the record's check-digit method as in `methodNames`; -1 for none or an unknown one. Hot. */
  methodIndex(index: number): number {
    const method = this.#view.getUint8(layout.recordPlace(index) + layout.record.methodIndex);
    return method === layout.NO_METHOD ? -1 : method;
  }

  /** Returns `IbanCountry.index` of a record's country. Hot. */
  countryIndex(index: number): number {
    return this.#view.getUint8(layout.recordPlace(index) + layout.record.country);
  }

  /** Returns the range of a country's records whose bank code begins with a text, of all by default. */
  rangeOf({ code, index }: IbanCountry, start = ""): Range {
    const { germanCount, size } = this;
    const ofCountry =
      code === "DE"
        ? { first: 0, end: germanCount }
        : equalRange({ first: germanCount, end: size }, (at) => this.countryIndex(at) - index);
    if (start === "") return ofCountry;
    const bytes = Buffer.from(start);
    return equalRange(ofCountry, (at) => this.#compareBankCode(at, bytes));
  }

  /** Compares a record's bank code, as far as these bytes go, with them: 0 if it begins with them. */
  #compareBankCode(index: number, start: Uint8Array): number {
    const at = layout.recordPlace(index);
    for (let place = 0; place < start.length; place++) {
      const byte = place < layout.CODE_BYTES.bank ? this.#view.getUint8(at + place) : 0;
      if (byte !== start[place]) return byte - start[place]!;
    }
    return 0;
  }

  /** Returns the record's own BIC as in the source; null for none. */
  bic(index: number): string | null {
    return readTextOrNull(
      this.bytes,
      this.#view.getUint32(layout.recordPlace(index) + layout.record.bic, true),
    );
  }

  /**
   * Finds the records whose BIC, written with 11 characters, begins with `prefix`, in the order of their BICs; records of
   * one BIC in the order of the directory. Some microseconds.
   */
  withBic(prefix: string): Uint32Array {
    const { bics } = this.parts;
    const { first, end } = equalRange({ first: 0, end: bics.length }, (place) => {
      const bic = fullBic(this.bic(bics[place]!)!);
      return bic < prefix ? -1 : Number(!bic.startsWith(prefix));
    });
    return bics.subarray(first, end);
  }

  /**
   * Lists the distinct BICs known for a bank code, the main record's first.
   *
   * In Germany over the main record and its further locations, elsewhere over the branches; may be empty. Allocates.
   */
  bics(bank: BankKey): readonly string[] {
    const { first, end } = this.rangeOf(ibanCountryByCode(bank.country)!, bank.bankCode);
    const [main, ...others] = Array.from({ length: end - first }, (_, at) => this.bic(first + at));
    const known = [main, ...this.otherBics(bank).further, ...others];
    return [...new Set(known.flatMap((bic) => bic ?? []))];
  }

  /** Returns the BICs that a bank code has or had besides its own; mostly none. */
  otherBics({ country, bankCode }: BankKey): OtherBics {
    return this.parts.otherBics[`${country} ${bankCode}`] ?? { further: [], former: [] };
  }

  /** Lists the banks whose code has a BIC besides its own, or had it: then with `former`. Some 50 µs. */
  otherUsers(bic: string): readonly { readonly bank: BankRecord; readonly former: FormerBic | undefined }[] {
    const full = fullBic(bic);
    return Object.entries(this.parts.otherBics).flatMap(([key, { further, former: all }]) => {
      const former = all.find((one) => isOfInstitution(bic, one.bic));
      if (former === undefined && !further.some((one) => fullBic(one) === full)) return [];
      const [country = "", code = ""] = key.split(" ");
      const index = this.findByCode(country, code);
      return index < 0 ? [] : [{ bank: this.record(index), former }];
    });
  }

  /** Returns the facts that the IBAN rules need about a German bank code, decoded once (2 µs); undefined for an unknown one. */
  readonly ruleBank = (blz: string): RuleBank | undefined => {
    const index = this.findByCode("DE", blz);
    if (index < 0) return undefined;
    let bank = this.#ruleBanks.get(index);
    if (bank === undefined) {
      const { method, bic, rule, successor, removed } = this.record(index);
      bank = { method, bic, rule, successor, removed };
      this.#ruleBanks.set(index, bank);
    }
    return bank;
  };

  /** Decodes a record: not for the hot path. Throws a RangeError if there is none of this index. */
  record(index: number): BankRecord {
    if (!Number.isInteger(index) || index < 0 || index >= this.size)
      throw new RangeError(`no bank record ${index}`);
    return readRecord(this.bytes, layout.recordPlace(index), this.parts.origins);
  }
}
