import { createRequire } from "node:module";
import { StartError } from "../settings.ts";
import type { NativeModule } from "./native.ts";

/**
 * The binary packages that the lock file names, with the Node major that each is built for and the oldest C library that it
 * runs on, newest first where two fit the same Node.
 *
 * uWebSockets.js itself is not on npm; these carry its binary for Linux on x64 with glibc, without install scripts.
 */
export const bindingPackages = [
  { name: "@uwsjs/linux-x64-20", nodeMajor: 20, glibc: "2.27" },
  { name: "@uwsjs/linux-x64-22", nodeMajor: 22, glibc: "2.38" },
  { name: "uws-linux-x64-22-glibc227", nodeMajor: 22, glibc: "2.27" },
  { name: "@uwsjs/linux-x64-24", nodeMajor: 24, glibc: "2.38" },
  { name: "@uwsjs/linux-x64-26", nodeMajor: 26, glibc: "2.38" },
] as const;

export type BindingPlatform = ReturnType<typeof currentPlatform>;

export function currentPlatform() {
  // Without this the report looks up host names, which can take seconds.
  (process.report as unknown as { excludeNetwork: boolean }).excludeNetwork = true;
  const report = process.report.getReport() as unknown as {
    header: { glibcVersionRuntime?: string | undefined };
  };
  return {
    platform: process.platform,
    arch: process.arch,
    nodeMajor: Number(process.versions.node.split(".")[0]),
    /** Undefined with another C library. */
    glibc: report.header.glibcVersionRuntime,
  };
}

/** Names the binary packages that fit a platform, best first; empty if none does. */
export function fittingPackages({ platform, arch, nodeMajor, glibc }: BindingPlatform) {
  if (platform !== "linux" || arch !== "x64" || glibc === undefined) return [];
  return bindingPackages.filter((binary) => binary.nodeMajor === nodeMajor && isAtLeast(glibc, binary.glibc));
}

/** Maximum number of bytes of a request's head, with all its headers; the native layer answers 431 beyond. */
const maxHeadBytes = 16_384;

/** Turns off the answer header that names the server software; has no effect on a binary that does not know it. */
const withoutServerMark = "999999990007";

/**
 * Loads uWebSockets.js: an officially installed `uWebSockets.js` first, then the packages for this Node and C
 * library, then the path in `UWS_BINDING`.
 *
 * Throws a StartError that says which would work if none of them loads. The only importer of the native module.
 */
export function loadBinding(
  bindingPath: string,
  platform: BindingPlatform = currentPlatform(),
): NativeModule {
  const require = createRequire(import.meta.url);
  // The binary reads it once, when it is loaded.
  process.env["UWS_HTTP_MAX_HEADERS_SIZE"] = String(maxHeadBytes);
  const candidates = ["uWebSockets.js", ...fittingPackages(platform).map((binary) => binary.name)];
  if (bindingPath !== "") candidates.push(bindingPath);
  for (const candidate of candidates) {
    try {
      const native = require(candidate) as NativeModule;
      native._cfg(withoutServerMark);
      return native;
    } catch {
      // Not installed or not loadable here: the next candidate may be, and the sentence below covers the rest.
    }
  }
  throw new StartError(missingBinding(platform, bindingPath));
}

/** Versions of the official package, which has binaries for macOS, Windows and Linux on x64 and arm64. */
function officialVersion({ nodeMajor, glibc }: BindingPlatform): string {
  if (nodeMajor <= 22) return "v20.51.0";
  // Later ones want glibc 2.38.
  return nodeMajor === 24 && glibc !== undefined && !isAtLeast(glibc, "2.38") ? "v20.52.0" : "v20.69.0";
}

function missingBinding(platform: BindingPlatform, bindingPath: string): string {
  const { nodeMajor, arch, glibc } = platform;
  const library =
    platform.platform !== "linux" ? "" : glibc === undefined ? ", no glibc" : `, glibc ${glibc}`;
  const path = bindingPath === "" ? "" : `, and UWS_BINDING (${bindingPath}) could not be loaded`;
  if (fittingPackages(platform).length > 0) {
    return `The uWebSockets.js binary for Node ${nodeMajor} is not installed${path}: run npm install again, under this Node.`;
  }
  const majors = bindingPackages.map((binary) => binary.nodeMajor);
  const fitting = majors.filter((major) => fittingPackages({ ...platform, nodeMajor: major }).length > 0);
  const other = fitting.length === 0 ? "" : `use Node ${Math.max(...fitting)}, or `;
  return (
    `No uWebSockets.js binary fits this machine (Node ${nodeMajor} on ${platform.platform}-${arch}${library})${path}: ` +
    `${other}install the official one with: npm install --no-save uNetworking/uWebSockets.js#${officialVersion(platform)}`
  );
}

function isAtLeast(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) >= 0;
}
