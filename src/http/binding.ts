import { createRequire } from "node:module";
import { StartError } from "../settings.ts";

/** A request of uWebSockets.js; dies when the handler returns. */
export interface NativeRequest {
  getUrl(): string;
  getMethod(): string;
  getQuery(): string | undefined;
  /** Has the next handler take the request. */
  setYield(yields: boolean): void;
  forEach(visit: (lowerCaseName: string, value: string) => void): void;
}

/** A response of uWebSockets.js; dies when it is answered or aborted. */
export interface NativeResponse {
  writeStatus(status: string | Uint8Array): NativeResponse;
  writeHeader(name: string, value: string | Uint8Array): NativeResponse;
  end(body?: string | Uint8Array, closeConnection?: boolean): NativeResponse;
  /** Sends what the socket takes of a body of `total` bytes: whether all of that was taken, and whether it is the end. */
  tryEnd(body: Uint8Array, total: number): readonly [boolean, boolean];
  /** Calls back when the socket takes more, with the offset in the body from which on; return whether all was taken. */
  onWritable(handler: (offset: number) => boolean): NativeResponse;
  /** Offset in the body up to which it was taken. */
  getWriteOffset(): number;
  cork(write: () => void): NativeResponse;
  onAborted(handler: () => void): NativeResponse;
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): NativeResponse;
  /** Sends a piece of a chunked body; false if the socket did not take all of it, the rest of which is kept. */
  write(piece: Uint8Array): boolean;
  /** Takes nothing more from the socket. Ends the watch over the time since something came. */
  pause(): void;
  /** Takes from the socket again, and restarts the watch over time: 8 to 12 seconds for the next 160 KB. */
  resume(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  close(): NativeResponse;
}

/** Handles a request; its arguments must not be used as requests of their own once it has returned. */
export type NativeHandler = (response: NativeResponse, request: NativeRequest) => void;

/** Called with 1 for each connection that opens and −1 for each that closes. */
export type ConnectionHandler = (response: NativeResponse, change: 1 | -1) => void;

/** An open listening socket of uWebSockets.js. */
export type ListenSocket = { readonly listenSocket: unique symbol };

/** Address of an application in this process. */
export type AppDescriptor = number & { readonly kind: "app descriptor" };

/** An application of uWebSockets.js, as far as it is used here. */
export interface NativeApp {
  get(pattern: string, handler: NativeHandler): NativeApp;
  post(pattern: string, handler: NativeHandler): NativeApp;
  /** For every method without a handler. */
  any(pattern: string, handler: NativeHandler): NativeApp;
  filter(handler: ConnectionHandler): NativeApp;
  listen(
    host: string,
    port: number,
    options: number,
    done: (socket: ListenSocket | false) => void,
  ): NativeApp;
  /** What another application of the same kind hands its connections to. */
  getDescriptor(): AppDescriptor;
  /** Hands new connections to another application, or to several in turn, instead of taking them. */
  addChildAppDescriptor(descriptor: AppDescriptor): NativeApp;
  removeChildAppDescriptor(descriptor: AppDescriptor): NativeApp;
  close(): NativeApp;
}

/** The native module of uWebSockets.js, as far as it is used here. */
export interface NativeModule {
  App(): NativeApp;
  /** Throws if the files cannot be used. */
  SSLApp(options: {
    readonly cert_file_name: string;
    readonly key_file_name: string;
    /** Suites of TLS 1.2 in OpenSSL's notation; those of TLS 1.3 are fixed. */
    readonly ssl_ciphers: string;
  }): NativeApp;
  us_listen_socket_close(socket: ListenSocket): void;
  us_socket_local_port(socket: ListenSocket): number;
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  /** Internal switch of the binary; see `binding.ts` for the one that is used. */
  _cfg(key: string): void;
}

/** A binary package of uWebSockets.js: which Node major it is built for and the oldest C library it runs on. */
interface BindingPackage {
  readonly name: string;
  readonly nodeMajor: number;
  readonly glibc: string;
}

/**
 * The binary packages that the lock file names, newest first where two fit the same Node.
 *
 * uWebSockets.js itself is not on npm; these carry its binary for Linux on x64 with glibc, without install scripts.
 */
export const bindingPackages: readonly BindingPackage[] = [
  { name: "@uwsjs/linux-x64-20", nodeMajor: 20, glibc: "2.27" },
  { name: "@uwsjs/linux-x64-22", nodeMajor: 22, glibc: "2.38" },
  { name: "uws-linux-x64-22-glibc227", nodeMajor: 22, glibc: "2.27" },
  { name: "@uwsjs/linux-x64-24", nodeMajor: 24, glibc: "2.38" },
  { name: "@uwsjs/linux-x64-26", nodeMajor: 26, glibc: "2.38" },
];

/** Facts about the platform that decide which binary is loaded. */
export interface BindingPlatform {
  readonly platform: string;
  readonly arch: string;
  readonly nodeMajor: number;
  /** Version of the GNU C library, undefined on another one. */
  readonly glibc: string | undefined;
}

/** Reads the platform this process runs on. */
export function currentPlatform(): BindingPlatform {
  // Without this the report looks up host names, which can take seconds.
  (process.report as unknown as { excludeNetwork: boolean }).excludeNetwork = true;
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return {
    platform: process.platform,
    arch: process.arch,
    nodeMajor: Number(process.versions.node.split(".")[0]),
    glibc: report.header.glibcVersionRuntime,
  };
}

/** Names the binary packages that fit a platform, best first; empty if none does. */
export function fittingPackages(platform: BindingPlatform): readonly BindingPackage[] {
  const { glibc } = platform;
  if (platform.platform !== "linux" || platform.arch !== "x64" || glibc === undefined) return [];
  return bindingPackages.filter(
    (binary) => binary.nodeMajor === platform.nodeMajor && compareVersions(glibc, binary.glibc) >= 0,
  );
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
  return nodeMajor === 24 && glibc !== undefined && compareVersions(glibc, "2.38") < 0
    ? "v20.52.0"
    : "v20.69.0";
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

function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  return left[0]! - right[0]! || (left[1] ?? 0) - (right[1] ?? 0);
}
