import assert from "node:assert/strict";
import { appendFileSync, cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { before, beforeEach, test } from "node:test";
import { readEditions, sha256 } from "../../../src/banks/editions/data-folder.ts";
import {
  type PreparedEdition,
  preparedFile,
  takePreparedEdition,
} from "../../../src/banks/editions/edition.ts";
import { loadEdition } from "../../../src/banks/editions/load.ts";
import { editionRoom } from "../../../src/pool/shared-memory.ts";
import { newFolder } from "../../support/folders.ts";
import { dataFolder } from "../shipped.ts";

const day = "2026-11-22";
let folder: string;
let files: string[];

before(async () => {
  files = ["manifest.json", ...(await readEditions(dataFolder)).map(({ file }) => file)];
});

beforeEach(() => {
  folder = newFolder();
  for (const file of files) cpSync(join(dataFolder, file), join(folder, file));
  bundleWith({});
});

/** Sets what the build sets in the bundle. */
function bundleWith(changes: Partial<PreparedEdition>): void {
  const prepared: PreparedEdition = {
    digest: sha256(readFileSync(preparedFile)),
    sources: Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(dataFolder, file)))])),
    firstDay: "2026-09-07",
    ...changes,
  };
  Object.assign(globalThis, { preparedEdition: JSON.stringify(prepared) });
}

const taken = (on = day) =>
  takePreparedEdition({ dataFolder: folder, day: on, room: new Uint8Array(editionRoom) });

test("the edition that the build prepared is the one that loading the shipped files makes", async () => {
  const rooms = [new Uint8Array(editionRoom), new Uint8Array(editionRoom)] as const;
  const loaded = await loadEdition({ dataFolder, day, room: rooms[0] });
  assert.deepEqual(await takePreparedEdition({ dataFolder: folder, day, room: rooms[1] }), loaded);
  assert.ok(loaded.bytes > 5_000_000 && Buffer.compare(rooms[0], rooms[1]) === 0);
});

test("another file in the folder, or none, is not answered from the prepared edition", async () => {
  for (const file of files) {
    appendFileSync(join(folder, file), "\n");
    assert.equal(await taken(), undefined, `${file} changed`);
    rmSync(join(folder, file));
    assert.equal(await taken(), undefined, `${file} missing`);
    cpSync(join(dataFolder, file), join(folder, file));
  }
  assert.notEqual(await taken(), undefined);
});

test("before its first day, after another build, and in code that is not bundled it is not taken", async () => {
  assert.equal(await taken("2026-09-06"), undefined);
  assert.notEqual(await taken("2026-09-07"), undefined);
  bundleWith({ digest: sha256(Buffer.from("another build")) });
  assert.equal(await taken(), undefined);
  Reflect.deleteProperty(globalThis, "preparedEdition");
  assert.equal(await taken(), undefined);
});
