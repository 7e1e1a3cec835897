import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { serviceEntry } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { commandEntry } from "../support/start-command.ts";

const folder = newFolder();

/** Runs a script in a mount namespace of its own, where `$DISK` is a disk of 64 KB. */
function onSmallDisk(script: string) {
  const setUp = 'mount -t tmpfs -o size=64k none "$DISK" || exit 1; ';
  const service = 'service() { PORT=0 POOL_SIZE=1 timeout 60 "$NODE" "$SERVICE"; }; ';
  const keys = 'keys() { "$NODE" "$COMMAND" keys "$@"; }; ';
  const { PATH } = process.env;
  const env = { PATH, DISK: folder, STATE_DIR: folder, NODE: process.execPath };
  return spawnSync("unshare", ["--mount", "--map-root-user", "sh", "-c", setUp + keys + service + script], {
    encoding: "utf8",
    env: { ...env, COMMAND: commandEntry, SERVICE: serviceEntry },
  });
}

const skip = onSmallDisk("true").status === 0 ? false : "no disk can be mounted here";
const fill = 'dd if=/dev/zero of="$DISK/filler" bs=1k 2>/dev/null; ';

test("on a full disk a key can still be revoked, and no other file remains", { skip }, () => {
  const { stdout, stderr } = onSmallDisk(
    `keys create a >/dev/null 2>&1; keys create b >/dev/null 2>&1; ${fill} keys revoke a && ls "$DISK" && keys list`,
  );
  assert.match(stdout, /is revoked\.\n/, stderr);
  assert.match(stdout, /\nfiller\nkeys\.json\n/);
  assert.match(stdout, / b +\d{4}-/);
  assert.doesNotMatch(stdout, / a +\d{4}-/);
});

test("on a full disk a first start without keys ends with one sentence, shows no key and leaves no file of keys", {
  skip,
}, () => {
  const { stdout, stderr } = onSmallDisk(`${fill} service; echo "ended with $?"; ls -a "$DISK"`);
  assert.match(stderr, /^STATE_DIR is .*, whose disk is full; free some space and try again\.$/m);
  assert.doesNotMatch(stderr, /\n\s+at |"level":(50|60)/, "no stack, no error but the sentence");
  assert.match(stdout, /^ended with 1\n/, "no key is shown");
  assert.doesNotMatch(stdout, /keys/);
});
