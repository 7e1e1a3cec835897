import type { Logger } from "pino";
import { StartError } from "../settings.ts";
import { type CertificateFiles, unusable } from "./certificate.ts";
import type { ListenSocket, NativeApp, NativeModule } from "./native.ts";
import { freePort } from "./ports.ts";

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

/** Listening option of the native layer under which several processes may have the port; it has no name there. */
const listenShared = 0;

export interface ListenerOptions {
  readonly native: NativeModule;
  readonly certificate: CertificateFiles | undefined;
  readonly install: (app: NativeApp) => void;
  readonly log: Logger;
}

/** The port: applications of the native layer that take its connections, each with a certificate. */
export class Listener {
  readonly #options: ListenerOptions;
  /** The application that listens, then one for each renewed certificate, of which the last takes the connections. */
  readonly #apps: NativeApp[] = [];
  #socket: ListenSocket | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#openApp();
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
    return native.us_socket_local_port(socket);
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

  stop(): void {
    if (this.#socket !== undefined) this.#options.native.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }

  close(): void {
    for (const app of this.#apps) app.close();
  }
}
