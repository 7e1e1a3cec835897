import type { Logger } from "pino";
import { StartError } from "../settings.ts";
import { type CertificateFiles, unusable } from "./certificate.ts";
import type { ListenSocket, NativeApp, NativeModule } from "./native.ts";
import { freePort } from "./ports.ts";

/** Cipher suites of TLS 1.2 with forward secrecy and authenticated encryption, as in all of TLS 1.3. Source: RFC 9325, 4.2. */
const forwardSecretCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

/** Listening option of the native layer under which several processes may have the port; it has no name there. */
const listenShared = 0;

/**
 * Opens the port: applications of the native layer that take its connections, each with a certificate and with the handlers
 * that `install` adds.
 *
 * Throws a SettingError for a kind of key that Node.js knows and the native layer does not.
 */
export function openListener(
  native: NativeModule,
  certificate: CertificateFiles | undefined,
  install: (app: NativeApp) => void,
  log: Logger,
) {
  const tls = certificate && {
    cert_file_name: certificate.cert,
    key_file_name: certificate.key,
    ssl_ciphers: forwardSecretCiphers,
  };
  const openApp = () => {
    let app: NativeApp;
    try {
      app = tls === undefined ? native.App() : native.SSLApp(tls);
    } catch {
      throw unusable("uWebSockets.js does not support this kind of key; use RSA, P-256 or P-384");
    }
    install(app);
    return app;
  };
  const listening = openApp();
  /** One for each renewed certificate, of which the last takes the connections. */
  const renewed: NativeApp[] = [];
  let socket: ListenSocket | undefined;
  return {
    /**
     * Listens, and returns the port: `port` itself or, for 0, a free one. Rejects with a StartError when it cannot be
     * listened on; a `shared` one may be listened on by several processes that all say so.
     */
    listen: async (host: string, port: number, shared: boolean) => {
      const mode = shared ? listenShared : native.LIBUS_LISTEN_EXCLUSIVE_PORT;
      const opened = await new Promise<ListenSocket | false>((resolve) => {
        listening.listen(host, port, mode, resolve);
      });
      if (opened === false) {
        // The native layer does not say why; trying does.
        await freePort(host, port);
        throw new StartError(`The service cannot listen on port ${port} of ${host}.`);
      }
      socket = opened;
      return native.us_socket_local_port(opened);
    },

    /**
     * Takes new connections with the certificate as its files are now; open ones keep theirs, and none is refused. Throws
     * where it is opened for such a key; then all stays as it is.
     */
    renewCertificate: () => {
      if (socket === undefined) return;
      const app = openApp();
      // The first one continues to listen: a socket that is closed resets the connections that it has not accepted yet.
      listening.addChildAppDescriptor(app.getDescriptor());
      const replaced = renewed.at(-1);
      if (replaced !== undefined) listening.removeChildAppDescriptor(replaced.getDescriptor());
      renewed.push(app);
      log.info("the TLS certificate was renewed");
    },

    stop: () => {
      if (socket !== undefined) native.us_listen_socket_close(socket);
      socket = undefined;
    },

    close: () => {
      for (const app of [listening, ...renewed]) app.close();
    },
  };
}
