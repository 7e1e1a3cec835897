import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pagesFolder } from "../../../src/http/pages/serve.ts";
import { newFolder } from "../../support/folders.ts";

const linter = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));

/** A preload that lets every attempt to reach the network fail loudly. */
const offline = `data:text/javascript,${encodeURIComponent(`
import net from "node:net";
net.Socket.prototype.connect = () => {
  console.error("the network was tried");
  process.exit(9);
};
`)}`;

test("Redocly's linter finds no error, no wrong example or path parameter, no other warning, and stays off the network", () => {
  const folder = newFolder();
  copyFileSync(new URL("openapi.json", pagesFolder), join(folder, "openapi.json"));
  const args = ["--import", offline, linter, "lint", "--format=json", "openapi.json"];
  const { PATH } = process.env;
  const env = { PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const run = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  const { totals, problems } = JSON.parse(run.stdout) as { totals: object; problems: unknown };
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems));
  assert.equal(run.status, 0, run.stderr);
});
