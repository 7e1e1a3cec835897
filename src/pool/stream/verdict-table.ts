const wordsPerEntry = 3;
const initialEntries = 512;

/** Numbers of answers by the two words of a verdict: a hash table in one array, of which a look-up touches one place. */
export class VerdictTable {
  /** Bank, finding + 1, number of the answer; a finding of 0 is a free entry. */
  #entries = new Int32Array(initialEntries * wordsPerEntry);
  #mask = initialEntries - 1;
  #size = 0;

  /** Returns the number of the answer, −1 where there is none. */
  find(finding: number, bank: number): number {
    const entries = this.#entries;
    let entry = this.#hash(finding, bank);
    for (;;) {
      const at = entry * wordsPerEntry;
      const found = entries[at + 1]!;
      if (found === 0) return -1;
      if (found === finding + 1 && entries[at] === bank) return entries[at + 2]!;
      entry = (entry + 1) & this.#mask;
    }
  }

  /** Adds a verdict that is not in the table. */
  add(finding: number, bank: number, answer: number): void {
    if (2 * ++this.#size > this.#mask) this.#grow();
    this.#put(finding, bank, answer);
  }

  #put(finding: number, bank: number, answer: number): void {
    const entries = this.#entries;
    let entry = this.#hash(finding, bank);
    while (entries[entry * wordsPerEntry + 1] !== 0) entry = (entry + 1) & this.#mask;
    entries.set([bank, finding + 1, answer], entry * wordsPerEntry);
  }

  #grow(): void {
    const old = this.#entries;
    this.#entries = new Int32Array(2 * old.length);
    this.#mask = 2 * this.#mask + 1;
    for (let at = 0; at < old.length; at += wordsPerEntry) {
      if (old[at + 1] !== 0) this.#put(old[at + 1]! - 1, old[at]!, old[at + 2]!);
    }
  }

  #hash(finding: number, bank: number): number {
    const mixed = Math.imul(bank ^ Math.imul(finding, 0x85ebca6b), 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }
}
