import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { replaceFile } from "../../src/process/files.ts";
import { newFolder } from "../support/folders.ts";
import { root } from "../support/repository.ts";

const skip = process.getuid?.() === 0 ? false : "only root may give files away";
/** A user and a group that need not exist. */
const [uid, gid] = [4_321, 4_322];

test("a file that root replaces keeps its owner and mode, and a new one belongs to the owner of its folder", {
  skip,
}, async () => {
  const folder = newFolder();
  chownSync(folder, uid, gid);
  const path = join(folder, "keys.json");
  await replaceFile(path, "one", 0o600);
  const made = statSync(path);
  assert.deepEqual([made.uid, made.gid, made.mode & 0o777], [uid, gid, 0o600]);
  chownSync(path, uid + 1, gid + 1);
  chmodSync(path, 0o640);
  await replaceFile(path, "two", 0o600);
  const replaced = statSync(path);
  assert.deepEqual([replaced.uid, replaced.gid, replaced.mode & 0o777], [uid + 1, gid + 1, 0o640]);
  assert.equal(readFileSync(path, "utf8"), "two");
  assert.deepEqual(readdirSync(folder), ["keys.json"]);
});

test("a symbolic link stays one, and what it leads to is replaced, or made if it is not there yet", async () => {
  const folder = newFolder();
  const [link, other] = [join(folder, "keys.json"), join(folder, "elsewhere")];
  mkdirSync(other);
  symlinkSync("elsewhere/stored.json", link);
  for (const content of ["one", "two"]) {
    await replaceFile(link, content);
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal(readFileSync(join(other, "stored.json"), "utf8"), content);
  }
  assert.deepEqual(readdirSync(folder).sort(), ["elsewhere", "keys.json"]);
});

/** Replaces a file as another user than root; returns what is printed. */
function replacedByUser(path: string): string {
  // Loads the module as root, since another user may not be able to read the checkout.
  const program = `
    import { replaceFile } from ${JSON.stringify(new URL("../../.dist/src/process/files.js", import.meta.url))};
    process.setgroups([]); process.setgid(${gid}); process.setuid(${uid});
    await replaceFile(${JSON.stringify(path)}, "new").catch((error) => console.log(error.code));`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return stdout + stderr;
}

test("a user who cannot keep the owner of a file replaces nothing and says so", { skip }, () => {
  const folder = newFolder();
  chmodSync(folder, 0o777);
  const path = join(folder, "keys.json");
  writeFileSync(path, "[]\n");
  chmodSync(path, 0o666);
  assert.equal(replacedByUser(path), "EPERM\n");
  assert.equal(readFileSync(path, "utf8"), "[]\n");
  assert.deepEqual(readdirSync(folder), ["keys.json"]);
});

test("a file is replaced in a folder that its user may write to but not read", { skip }, () => {
  const folder = newFolder();
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o300);
  assert.equal(replacedByUser(join(folder, "keys.json")), "");
  assert.equal(readFileSync(join(folder, "keys.json"), "utf8"), "new");
});
