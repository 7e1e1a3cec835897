import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { createKey } from "../../src/keys/key-changes.ts";
import { readKeyFile, type StoredKey, withKeyFileLock, writeKeyFile } from "../../src/keys/key-file.ts";
import { StartError } from "../../src/settings.ts";
import { newFolder } from "../support/folders.ts";

let stateDir: string;
let file: string;
beforeEach(() => {
  stateDir = newFolder();
  file = join(stateDir, "keys.json");
});

const key = (name: string): StoredKey => ({
  name,
  sha256: "0123456789abcdef".repeat(4),
  created: "2026-11-21T00:00:00.000Z",
});

test("what was written is readable text that ends with a line feed, and is read again, with notes of an operator, and as an editor saves it", async () => {
  const keys = [key("a"), { ...key("b.c-d_e"), expires: "2027-01-01T00:00:00.000Z" }];
  await writeKeyFile(stateDir, keys);
  assert.match(readFileSync(file, "utf8"), /^\[\n {2}\{\n {4}"name": "a",[\s\S]+\]\n$/);
  assert.deepEqual(await readKeyFile(stateDir), keys);
  const noted = keys.map((each) => ({ ...each, note: 'a text with }, {"in": it },', nested: [{}, {}] }));
  writeFileSync(file, ` \n${JSON.stringify(noted)}`);
  assert.deepEqual(await readKeyFile(stateDir), noted);
  writeFileSync(file, `\uFEFF${JSON.stringify(keys, null, 2).replaceAll("\n", "\r\n")}`);
  assert.deepEqual(await readKeyFile(stateDir), keys, "saved with a byte order mark and CRLF");
  await writeKeyFile(stateDir, []);
  assert.deepEqual(await readKeyFile(stateDir), []);
});

test("folder and file are for their owner only, also where the file was open to others before", async () => {
  rmSync(stateDir, { recursive: true });
  await createKey(stateDir, "a", new Date(), undefined);
  assert.equal(statSync(stateDir).mode & 0o777, 0o700);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  chmodSync(file, 0o644);
  await writeKeyFile(stateDir, [key("b")]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("every error of the file system is one sentence with the folder and what to do", async () => {
  const advice = /set STATE_DIR to a folder that the service may write to\.$/;
  const isFull = /whose disk is full; free some space and try again\.$/;
  const sentences: readonly (readonly [code: string, ...parts: readonly RegExp[]])[] = [
    ["ENOTDIR", /which is not a folder; /, advice],
    ["EEXIST", /which is not a folder; /, advice],
    ["ENOENT", /where no folder can be made; /, advice],
    ["EACCES", /where this user may not read or write; /, advice],
    ["EPERM", /where this user may not read or write; /, advice],
    ["EROFS", /which is on a read-only file system; /, advice],
    ["EISDIR", /where keys\.json or keys\.lock is not a file; remove it and try again\.$/],
    ["ENOSPC", isFull],
    ["EDQUOT", isFull],
    ["EFBIG", isFull],
    ["EIO", /which cannot be used \(EIO\); /, advice],
  ];
  const after = (error: Error) => withKeyFileLock(stateDir, () => Promise.reject(error));
  for (const [code, ...parts] of sentences) {
    const cause = Object.assign(new Error("what the kernel says"), { code });
    const thrown: unknown = await after(cause).catch((error: unknown) => error);
    assert.ok(thrown instanceof StartError, code);
    assert.equal(thrown.cause, cause);
    for (const part of [`STATE_DIR is ${stateDir}, `, ...parts])
      assert.ok(thrown.message.match(part), thrown.message);
  }
  for (const code of [undefined, "ERR_INVALID_ARG_TYPE"]) {
    const fault = Object.assign(new Error("a fault"), { code });
    await assert.rejects(after(fault), (error) => error === fault);
  }
});

test("a damaged file is refused with its path and without its content", async () => {
  const { sha256 } = key("a");
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    name: [undefined, 1, "", "a b", "a".repeat(65)],
    sha256: [undefined, [sha256], sha256.slice(1), `${sha256}0`, sha256.toUpperCase()],
    created: [undefined, "yesterday", 1_790_000_000_000],
    expires: [null, "soon"],
    maxConcurrent: [0, 1.5, "9", null],
    maxPerSecond: [0, 1.5, "9", null],
  };
  const entries = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => [key("a"), { ...key("b"), [field]: value }]),
  );
  const damaged = [null, {}, "text", [null], [1], ...entries];
  await writeKeyFile(stateDir, []);
  for (const content of ["", "[", `[${sha256}`, "\u0000", ...damaged.map((value) => JSON.stringify(value))]) {
    writeFileSync(file, content);
    const refused = { name: "StartError", message: `${file} is not a list of key digests.` };
    await assert.rejects(readKeyFile(stateDir), refused, content);
  }
});

test("a new file that is not confirmed is not put in place, and nothing is left behind", async () => {
  await writeKeyFile(stateDir, [key("a")]);
  assert.equal(await writeKeyFile(stateDir, [key("b")], async () => false), false);
  const failing = writeKeyFile(stateDir, [key("b")], () => Promise.reject(new Error("gone")));
  await assert.rejects(failing, /gone/);
  assert.deepEqual(await readKeyFile(stateDir), [key("a")]);
  assert.deepEqual(readdirSync(stateDir), ["keys.json"]);
});

test("on a full disk a list that is no longer than the old one is written over it; a longer one changes nothing", async () => {
  for (const code of ["ENOSPC", "EDQUOT", "EFBIG"]) {
    const error = Object.assign(new Error("full"), { code });
    const write = (keys: readonly StoredKey[]) => writeKeyFile(stateDir, keys, () => Promise.reject(error));
    await writeKeyFile(stateDir, [key("a"), key("b")]);
    const others = [key("c"), key("d")];
    assert.equal(await write(others), true, "as long as the old one");
    assert.deepEqual(await readKeyFile(stateDir), others);
    assert.equal(await write([key("e")]), true);
    assert.equal(readFileSync(file, "utf8"), `${JSON.stringify([key("e")], null, 2)}\n`);
    await assert.rejects(write(others), error);
    assert.deepEqual(await readKeyFile(stateDir), [key("e")]);
    rmSync(file);
    await assert.rejects(write([]), error);
    assert.deepEqual(readdirSync(stateDir), []);
  }
});
