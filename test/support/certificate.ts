import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Why tests that make certificates are skipped; false if they are not. */
export const opensslMissing: string | false =
  spawnSync("openssl", ["version"]).status === 0 ? false : "openssl is not installed";

/** Makes a certificate of this machine and its key in a folder, `NAME.crt` and `NAME.key`, and returns the settings that name them. */
export function makeCertificate(folder: string, name: string, curveName = "prime256v1") {
  const curve = ["-newkey", "ec", "-pkeyopt", `ec_paramgen_curve:${curveName}`, "-nodes", "-days", "2"];
  const files = { TLS_KEY: join(folder, `${name}.key`), TLS_CERT: join(folder, `${name}.crt`) };
  const output = ["-keyout", files.TLS_KEY, "-out", files.TLS_CERT];
  const names = ["-subj", `/CN=${name}.test`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  spawnSync("openssl", ["req", "-x509", ...curve, ...output, ...names]);
  return files;
}
