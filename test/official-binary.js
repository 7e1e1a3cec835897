import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { currentPlatform, fittingPackages } from "../.dist/src/http/binding.js";

// Compares the uWebSockets.js binary that npm installed for this Node with the one of the official release.
// Exits with 0 if they are the same, 1 if they differ, 2 if they could not be compared. `UWS_RELEASES` names another host.
const releases =
  process.env["UWS_RELEASES"] ?? "https://raw.githubusercontent.com/uNetworking/uWebSockets.js";
const timeoutMs = 60_000;

const require = createRequire(import.meta.url);
const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The binary of the first package that fits and is installed. */
function installed() {
  for (const { name } of fittingPackages(currentPlatform())) {
    try {
      // One package is its binary alone, the others load it.
      const folder = require.resolve(`${name}/package.json`).slice(0, -"package.json".length);
      const { version } = require(`${name}/package.json`);
      return { name, version, digest: digestOf(readFileSync(`${folder}uws.node`)) };
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

/** Exit code and sentence. */
async function compare() {
  const own = installed();
  if (own === undefined)
    return [2, "No binary of npm's packages is installed for this Node; nothing was compared."];
  // Packages count their own corrections in the last place.
  const release = own.version.replace(/\d+$/, "0");
  const url = `${releases}/v${release}/uws_linux_x64_${process.versions.modules}.node`;
  let official;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) return [2, `${url} answered ${answer.status}; nothing was compared.`];
    official = digestOf(Buffer.from(await answer.arrayBuffer()));
  } catch (error) {
    return [2, `${url} could not be read (${error.cause?.code ?? error.name}); nothing was compared.`];
  }
  const packaged = `${own.name}@${own.version}`;
  return official === own.digest
    ? [0, `${packaged} is the official v${release}, byte for byte: SHA-256 ${official}.`]
    : [
        1,
        `${packaged} (SHA-256 ${own.digest}) is not the official v${release} (SHA-256 ${official}); ` +
          `the official one comes with: npm install --no-save uNetworking/uWebSockets.js#v${release}`,
      ];
}

const [code, sentence] = await compare();
(code === 0 ? process.stdout : process.stderr).write(`${sentence}\n`);
process.exitCode = code;
