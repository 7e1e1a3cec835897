import assert from "node:assert/strict";
import { test } from "node:test";
import { germanAccount } from "../../src/banking/germany/account.ts";
import { checkMethod } from "../../src/banking/germany/methods.ts";
import { composeIban } from "../../src/banking/iban/compose.ts";
import { ibanCountryByCode } from "../../src/banking/iban/registry.ts";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { bankFragment, MAX_FRAGMENT_BYTES } from "../../src/banks/directory/check-data.ts";
import { BankDirectory } from "../../src/banks/directory/directory.ts";
import { hashBankKey } from "../../src/banks/directory/directory-layout.ts";
import type { BankRecord } from "../../src/banks/directory/record.ts";
import { openKernel } from "../../src/kernel/kernel.ts";
import { TEMPLATE_ROOM_BYTES } from "../../src/kernel/table-layout.ts";
import { Templates } from "../../src/kernel/templates.ts";
import { germanBank, italianBank, someEdition } from "../banks/records.ts";
import { entriesOf, KernelMemory, kernelModule } from "../support/kernel-memory.ts";
import { loadShippedDirectory } from "../support/shipped-directory.ts";
import { words } from "../support/words.ts";
import { RandomIbans } from "./random-ibans.ts";

const italy = ibanCountryByCode("IT")!.index;
const noSepa = { sct: 0, sdd: 0, b2b: 0, scc: 0 } as const;
const names = Array.from({ length: 130 }, (_, index) => "Bank ".padEnd(1 + index * 6, "é"));
const ofEveryLength = names
  .map((name, index) => germanBank({ name, bankCode: String(20_000_000 + index * 1_117) }))
  .filter((bank) => Buffer.byteLength(bankFragment(bank)) <= MAX_FRAGMENT_BYTES);
const branches = ["11101", "11102", "99999"].map((branchCode) =>
  italianBank({ branchCode, name: `Branch ${branchCode}` }),
);
const collision = findCollision();
const colliding = collision.map((code) =>
  italianBank({ bankCode: code.slice(0, 5), branchCode: code.slice(5), location: code }),
);

const directories: Readonly<Record<string, readonly BankRecord[]>> = {
  "a single bank": [germanBank()],
  "fragments of every length": ofEveryLength,
  "banks without BIC, method, rule or SEPA schemes": [
    germanBank({ bankCode: "10000000", bic: null }),
    germanBank({ bankCode: "20000000", method: null }),
    germanBank({ bankCode: "30000000", rule: null, ruleSource: null }),
    germanBank({ bankCode: "99999999", sepa: noSepa }),
    germanBank({ bankCode: "37040044", name: 'Quote "Bank" \\ Söhne' }),
  ],
  "branches of a bank, and of one without a record of its own": [
    germanBank(),
    italianBank(),
    ...branches,
    italianBank({ bankCode: "01005", branchCode: "03200" }),
  ],
  "two keys of equal hash": [germanBank(), ...colliding],
  "one of two keys of equal hash": [germanBank(), colliding[0]!],
};

for (const [name, records] of Object.entries(directories)) {
  test(`a directory with ${name} is searched as the reference searches it`, () => {
    const memory = new KernelMemory(buildDirectory(records, someEdition));
    const ibans = new RandomIbans(memory.directory, records.length);
    for (let batch = 0; batch < 40; batch++)
      memory.assertEqual(Array.from({ length: 100 }, () => ibans.next()));
  });
}

test("tables so small that a search continues at their beginning are searched to the right bank", () => {
  const austrian = (bankCode: string) => italianBank({ country: "AT", bankCode, name: `Bank ${bankCode}` });
  for (let count = 1; count <= 64; count++) {
    const codes = Array.from({ length: count }, (_, index) => String(10_000 + count * 31 + index * 977));
    const german = codes.map((code) =>
      germanBank({ bankCode: `${code}123`, name: `Bank ${code}`, method: "09" }),
    );
    const memory = new KernelMemory(buildDirectory([...german, ...codes.map(austrian)], someEdition));
    const ibans = codes.flatMap((code) => [
      composeIban("DE", `${code}1230532013000`),
      composeIban("AT", `${code}00234573201`),
    ]);
    assert.deepEqual(
      entriesOf(memory.assertEqual(ibans)).map(({ data }) => data.bank),
      codes.flatMap((code) => [`Bank ${code}`, `Bank ${code}`]),
    );
  }
});

/** Returns two different bank and branch codes, ten digits, whose keys have the same hash. */
function findCollision(): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; number < 400_000; number++) {
    const code = String(number * 24_977).padStart(10, "0");
    const bytes = Buffer.alloc(16);
    bytes.write(code.slice(0, 5), 0);
    bytes.write(code.slice(5), 10);
    const hash = hashBankKey(italy, new Int32Array(bytes.buffer, bytes.byteOffset, 4));
    const other = seen.get(hash);
    if (other !== undefined) return [other, code];
    seen.set(hash, code);
  }
  throw new Error("no collision among the codes tried");
}

test("two keys of equal hash are distinguished", () => {
  const find = (directory: BankDirectory, code: string): number =>
    directory.findByIban(ibanCountryByCode("IT")!, Buffer.from(`IT60X${code}000000123456`));
  const both = new BankDirectory(buildDirectory(colliding, someEdition));
  for (const code of collision) assert.equal(both.record(find(both, code)).location, code);
  const one = new BankDirectory(buildDirectory(colliding.slice(0, 1), someEdition));
  assert.equal(one.record(find(one, collision[0])).location, collision[0]);
  assert.equal(find(one, collision[1]), -1);
});

test("an account that fails its method is right where the bank's IBAN rule accepts it without check digit", async () => {
  const memory = new KernelMemory(await loadShippedDirectory());
  const numbers = words`0008090100 0000055111 0000003333 0000004444 0000624044 0049902271 9130500002`;
  let waived = 0;
  for (let index = 0; index < memory.directory.germanCount; index++) {
    const { main, rule, bankCode } = memory.directory.record(index);
    if (!main || !/^00(26|27|30|54)/.test(rule ?? "")) continue;
    const ibans = numbers.map((number) => composeIban("DE", bankCode + number));
    const results = entriesOf(memory.assertEqual(ibans));
    for (const [at, number] of numbers.entries()) {
      const account = germanAccount(number, bankCode);
      const fails = checkMethod(memory.directory.methodIndex(index), account) === "invalid";
      if (fails && results[at]!.valid) waived++;
    }
  }
  assert.ok(waived >= 3, `${waived} accounts were right against their method`);
});

test("a directory too close to the end of the memory is refused", () => {
  const directory = buildDirectory([germanBank()], someEdition);
  const { length } = directory.bytes;
  const pages = TEMPLATE_ROOM_BYTES / 65_536 + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const end = memory.buffer.byteLength;
  const open = (at: number) => {
    const bytes = new Uint8Array(memory.buffer, at, length);
    bytes.set(directory.bytes);
    const placed = new BankDirectory({ ...directory, bytes });
    return openKernel(kernelModule, memory, 0, placed, new Templates(memory.buffer, 0));
  };
  assert.throws(() => open(end - length), RangeError);
  assert.throws(() => open(end - length - 79), RangeError);
  assert.doesNotThrow(() => open(end - length - 80));
});
