import { InputError } from "../../rows/rows.ts";

/** The most that the texts of a workbook may take: three million IBANs in fours. */
const maxBytes = 134_217_728;

/** The texts that the cells of a workbook share, held as bytes outside the heap. */
export class SharedStrings {
  #bytes = Buffer.allocUnsafe(65_536);
  #ends = new Uint32Array(1_024);
  #length = 0;
  #count = 0;

  /** Throws an InputError where the texts of the workbook are too many to be held. */
  add(text: string): void {
    const room = text.length * 3;
    if (this.#length + room > maxBytes) {
      throw new InputError("The texts of the XLSX file take more than 128 MB; save it as CSV.");
    }
    if (this.#length + room > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + room));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, "utf8");
    this.#ends[this.#count++] = this.#length;
  }

  /** The text with a number; empty where there is none. */
  at(index: number): string {
    if (!(index >= 0 && index < this.#count)) return "";
    return this.#bytes.toString("utf8", index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }
}
