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

/** Runs the comparison against a host of releases, and asserts how it ends and what it says. */
async function expectCompared(releases: string, expectedCode: number, expected: RegExp): Promise<void> {
  const child = spawn(process.execPath, [script], { env: { ...process.env, UWS_RELEASES: releases } });
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number]>,
  ]);
  assert.match(out + error, expected);
  assert.equal(code, expectedCode);
}

test("the installed binary is compared with that of the official release, by digest", { skip }, async (t) => {
  const own = readFileSync(require.resolve(fitting!.name).replace(/[^/]+$/, "uws.node"));
  let answer: Buffer | undefined = own;
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    if (answer === undefined) response.statusCode = 404;
    response.end(answer);
  });
  t.after(() => server.close());
  const releases = `http://127.0.0.1:${await listen(server)}`;
  const same = /^\S+ is the official v20\.\d+\.0, byte for byte: SHA-256 [0-9a-f]{64}\.\n$/;
  await expectCompared(releases, 0, same);
  assert.match(asked[0]!, /^\/v20\.\d+\.0\/uws_linux_x64_\d+\.node$/);
  const changed = Buffer.from(own);
  changed[changed.length - 1]! ^= 1;
  answer = changed;
  const other = /is not the official v20.*npm install --no-save uNetworking\/uWebSockets\.js#v20/;
  await expectCompared(releases, 1, other);
  answer = undefined;
  await expectCompared(releases, 2, / answered 404; nothing was compared\.\n$/);
  const unreachable = / could not be read \(ECONNREFUSED\); nothing was compared\.\n$/;
  await expectCompared(`http://127.0.0.1:${await freePort()}`, 2, unreachable);
});
