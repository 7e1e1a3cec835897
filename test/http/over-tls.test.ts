import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { newFolder } from "../support/folders.ts";

/** `TLS_SETS=http/,hostile/,faults/ npm test -- over-tls` runs other sets over TLS. */
const sets = (process.env["TLS_SETS"] ?? "http/framing,http/body-size,faults/overload").split(",");
const skip = spawnSync("openssl", ["version"]).status === 0 ? false : "openssl is not installed";

test(`over TLS ${sets.join(", ")} pass as over HTTP`, { skip }, async () => {
  const folder = newFolder();
  const [key, certificate] = [join(folder, "tls.key"), join(folder, "tls.crt")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  spawnSync("openssl", ["req", "-x509", ...curve, ...names, "-keyout", key, "-out", certificate]);
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const run = spawn(process.execPath, ["test/run.js", ...sets], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...environment, CI: "true", TEST_TLS: folder, NODE_EXTRA_CA_CERTS: certificate },
  });
  let output = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [status] = (await once(run, "close")) as [number];
  assert.equal(status, 0, output);
  assert.match(output, /^# pass [1-9]/m);
});
