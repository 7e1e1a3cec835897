import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { createSecureContext } from "node:tls";
import type { Logger } from "pino";
import { codeOf, FileWatch, fileState, readWholeFile } from "../process/files.ts";
import { SettingError, StartError } from "../settings.ts";
import type { ListenSocket, NativeApp, NativeModule } from "./binding.ts";

/** Explanations of system errors for the operator who set HOST and PORT. */
const portReasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: (host) =>
    `HOST is ${host}, which is not the name of any machine; set it to an address of this one.`,
  EAI_AGAIN: (host) =>
    `HOST is ${host}, a name that cannot be looked up now; set it to an address of this machine.`,
  EINVAL: (host) =>
    `HOST is ${host}, which cannot be the name of a machine; set it to an address of this one.`,
  EADDRNOTAVAIL: (host) =>
    `HOST is ${host}, which is not an address of this machine; 0.0.0.0 listens on all.`,
  EACCES: (_, port) => `The port ${port} is reserved for privileged users; set PORT to one above 1023.`,
};

/** Returns the port, or any free one for 0. Rejects with a StartError if the service cannot listen on it. */
async function freePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    throw new StartError(portReason(codeOf(error), host, port));
  }
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}

/** Timeout of the connection that shows whether the port is in use; an address of no machine never answers. */
const connectMs = 1_000;

/**
 * Returns the port, or any free one for 0. Rejects with a StartError if another process answers on it.
 *
 * It does not listen: clients that connect again while the service restarts would be taken, and cut off.
 */
export async function unusedPort(host: string, port: number): Promise<number> {
  // Another port of the host shows whether it is this machine; elsewhere somebody may well answer.
  const anyPort = await freePort(host, 0);
  if (port === 0) return anyPort;
  const socket = connect({ host, port, timeout: connectMs });
  const isFree = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(false));
    socket.once("timeout", () => resolve(true));
    socket.once("error", () => resolve(true));
  });
  socket.destroy();
  if (!isFree) throw new StartError(portReason("EADDRINUSE", host, port));
  return port;
}

function portReason(code: string, host: string, port: number): string {
  return (
    portReasons[code]?.(host, port) ??
    `The service cannot listen on port ${port} of ${host}; it may be in use.`
  );
}

/** The files of a TLS certificate, in PEM: the certificate with its chain, and its private key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const pollIntervalMs = 1_000;

/**
 * Returns the files that `TLS_CERT` and `TLS_KEY` name, undefined if both are empty.
 *
 * Rejects with a SettingError if only one is given, one cannot be read, or they do not belong together.
 */
export async function certificateFiles(cert: string, key: string): Promise<CertificateFiles | undefined> {
  if (cert === "" && key === "") return undefined;
  if (cert === "" || key === "") throw new SettingError("TLS_CERT and TLS_KEY must be set together.");
  const files = { cert, key };
  await expectUsable(files);
  return files;
}

/** Calls `changed` whenever the files of a certificate have changed and can be used. */
export async function watchCertificate(
  files: CertificateFiles,
  changed: () => void,
  log: Logger,
): Promise<FileWatch> {
  const stateNow = async () => `${await fileState(files.cert)} ${await fileState(files.key)}`;
  let seen = await stateNow();
  const late = (seconds: number) =>
    log.error({ seconds }, "the TLS certificate's files do not answer; the one in use stays until they do");
  return new FileWatch(
    pollIntervalMs,
    async () => {
      const state = await stateNow();
      if (state === seen) return;
      seen = state;
      try {
        await expectUsable(files);
        changed();
      } catch (error) {
        // One of the files may be written before the other: then the next look finds both.
        const why = (error as Error).message;
        log.warn({ why }, "the renewed TLS certificate cannot be used yet; the previous one stays in use");
      }
    },
    late,
  );
}

/** Throws a SettingError if the files cannot be read, are damaged, or do not belong together. */
async function expectUsable({ cert, key }: CertificateFiles): Promise<void> {
  try {
    createSecureContext({ cert: await readWholeFile(cert), key: await readWholeFile(key) });
  } catch (error) {
    throw unusable((error as Error).message);
  }
}

/** Cipher suites of TLS 1.2 with forward secrecy and authenticated encryption, as in all of TLS 1.3. Source: RFC 9325, 4.2. */
const forwardSecretCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

/** Throws a SettingError for a kind of key that Node.js knows and the native layer does not. */
function secureApp(native: NativeModule, { cert, key }: CertificateFiles): NativeApp {
  try {
    const files = { cert_file_name: cert, key_file_name: key };
    return native.SSLApp({ ...files, ssl_ciphers: forwardSecretCiphers });
  } catch {
    throw unusable("uWebSockets.js does not support this kind of key; use RSA, P-256 or P-384");
  }
}

function unusable(why: string): SettingError {
  return new SettingError(`TLS_CERT and TLS_KEY cannot be used: ${why}.`);
}

/** Listening option of the native layer under which several processes may have the port; it has no name there. */
const listenShared = 0;

export interface ListenerOptions {
  readonly native: NativeModule;
  /** For HTTPS; undefined for HTTP. */
  readonly certificate: CertificateFiles | undefined;
  /** Installs the handlers of a new application. */
  readonly install: (app: NativeApp) => void;
  readonly log: Logger;
}

/** The port: applications of the native layer that take its connections, each with a certificate. */
export class Listener {
  readonly #options: ListenerOptions;
  /** The application that listens, then one for each renewed certificate, of which the last takes the connections. */
  readonly #apps: NativeApp[] = [];
  #port = 0;
  #socket: ListenSocket | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#openApp();
  }

  /** The port, 0 before there is one. */
  get port(): number {
    return this.#port;
  }

  #openApp(): NativeApp {
    const { native, certificate, install } = this.#options;
    const app = certificate === undefined ? native.App() : secureApp(native, certificate);
    install(app);
    this.#apps.push(app);
    return app;
  }

  /**
   * Listens, and returns the port: `port` itself or, for 0, a free one. Rejects with a StartError when it cannot be
   * listened on; a `shared` one may be listened on by several processes that all say so.
   */
  async listen(host: string, port: number, shared: boolean): Promise<number> {
    const { native } = this.#options;
    const mode = shared ? listenShared : native.LIBUS_LISTEN_EXCLUSIVE_PORT;
    const socket = await new Promise<ListenSocket | false>((resolve) => {
      this.#apps[0]!.listen(host, port, mode, resolve);
    });
    if (socket === false) {
      // The native layer does not say why; trying does.
      await freePort(host, port);
      throw new StartError(`The service cannot listen on port ${port} of ${host}.`);
    }
    this.#socket = socket;
    this.#port = native.us_socket_local_port(socket);
    return this.#port;
  }

  /**
   * Takes new connections with the certificate as its files are now; open ones keep theirs, and none is refused. Throws a
   * SettingError for a kind of key that the native layer does not know; then all stays as it is.
   */
  renewCertificate(): void {
    if (this.#socket === undefined) return;
    const [listening] = this.#apps;
    const replaced = this.#apps.at(-1)!;
    // The first one continues to listen: a socket that is closed resets the connections that it has not accepted yet.
    listening!.addChildAppDescriptor(this.#openApp().getDescriptor());
    if (replaced !== listening) listening!.removeChildAppDescriptor(replaced.getDescriptor());
    this.#options.log.info("the TLS certificate was renewed");
  }

  /** Stops accepting connections. */
  stop(): void {
    if (this.#socket !== undefined) this.#options.native.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }

  /** Cuts every connection. */
  close(): void {
    for (const app of this.#apps) app.close();
  }
}
