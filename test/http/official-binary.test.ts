import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { currentPlatform, fittingPackages } from "../../src/http/binding.ts";
import { freePort } from "../free-port.ts";
import { listen } from "../support/listen.ts";

const script = fileURLToPath(new URL("../official-binary.js", import.meta.url));
const require = createRequire(import.meta.url);
const [fitting] = fittingPackages(currentPlatform());
const skip = fitting === undefined ? "no package fits this machine" : false;

/** Runs the comparison against a host of releases. */
async function compared(releases: string): Promise<{ readonly code: number; readonly said: string }> {
  const child = spawn(process.execPath, [script], { env: { ...process.env, UWS_RELEASES: releases } });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number]>,
  ]);
  return { code, said: out + error };
}

test("the installed binary is compared with that of the official release, by digest", { skip }, async () => {
  const own = readFileSync(require.resolve(fitting!.name).replace(/[^/]+$/, "uws.node"));
  let answer: Buffer | undefined = own;
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    if (answer === undefined) response.statusCode = 404;
    response.end(answer);
  });
  const releases = `http://127.0.0.1:${await listen(server)}`;
  try {
    const same = await compared(releases);
    assert.equal(same.code, 0, same.said);
    assert.match(same.said, /^\S+ is the official v20\.\d+\.0, byte for byte: SHA-256 [0-9a-f]{64}\.\n$/);
    assert.match(asked[0]!, /^\/v20\.\d+\.0\/uws_linux_x64_\d+\.node$/);
    const changed = Buffer.from(own);
    changed[changed.length - 1]! ^= 1;
    answer = changed;
    const other = await compared(releases);
    assert.equal(other.code, 1, other.said);
    assert.match(
      other.said,
      /is not the official v20.*npm install --no-save uNetworking\/uWebSockets\.js#v20/,
    );
    answer = undefined;
    const missing = await compared(releases);
    assert.equal(missing.code, 2, missing.said);
    assert.match(missing.said, / answered 404; nothing was compared\.\n$/);
  } finally {
    server.close();
  }
  const unreachable = await compared(`http://127.0.0.1:${await freePort()}`);
  assert.equal(unreachable.code, 2, unreachable.said);
  assert.match(unreachable.said, / could not be read \(ECONNREFUSED\); nothing was compared\.\n$/);
});
