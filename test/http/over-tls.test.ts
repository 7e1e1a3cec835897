import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { newFolder } from "../support/folders.ts";

/** `TLS_SETS=http/,hostile/,faults/ npm test -- over-tls` runs these over TLS; `tls.test.ts` asks the main things. */
const sets = process.env["TLS_SETS"]?.split(",") ?? [];
const skip = sets.length === 0 ? "TLS_SETS is not set" : opensslMissing;

test(`over TLS ${sets.join(", ")} pass as over HTTP`, { skip }, async () => {
  const folder = newFolder();
  const { TLS_CERT } = makeCertificate(folder, "tls");
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const run = spawn(process.execPath, ["test/run.js", ...sets], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...environment, CI: "true", TEST_TLS: folder, NODE_EXTRA_CA_CERTS: TLS_CERT },
  });
  const [output, errors, [status]] = await Promise.all([
    text(run.stdout),
    text(run.stderr),
    once(run, "close"),
  ]);
  assert.equal(status, 0, errors + output);
  assert.match(output, /^# pass [1-9]/m);
});
