import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const script = fileURLToPath(new URL("slow-readers.ts", import.meta.url));
/**
 * Runs a command in a separate network, whose packets hold 1,500 bytes as on an Ethernet, and whose sockets take no
 * more than 32 KB.
 */
const setUp =
  "ip link set lo mtu 1500 up && echo 4096 16384 32768 | tee /proc/sys/net/ipv4/tcp_wmem > /proc/sys/net/ipv4/tcp_rmem";
const inNetwork = ["-rn", "sh", "-c", `${setUp} && exec "$0" "$@"`];
const canMakeNetwork = spawnSync("unshare", [...inNetwork, "true"]).status === 0;

test("410 clients without a key that do not read cost no paying client its answer, in packets of 1,500 bytes", {
  skip: canMakeNetwork ? false : "no network can be made here",
}, async () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const command = [process.execPath, "--import", "tsx", script];
  const { stdout } = await promisify(execFile)("unshare", [...inNetwork, ...command], { env });
  assert.equal(stdout, "");
});
