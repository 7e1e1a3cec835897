import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Logger } from "pino";
import { FileWatch, fileState } from "../process/file-watch.ts";
import { SettingError } from "../settings.ts";

/** The files of a TLS certificate, in PEM: the certificate with its chain, and its private key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const pollIntervalMs = 1_000;

/**
 * Returns the files that `TLS_CERT` and `TLS_KEY` name, undefined where both are empty.
 *
 * Throws a SettingError where only one is given, one cannot be read, or they do not belong together.
 */
export function certificateFiles(cert: string, key: string): CertificateFiles | undefined {
  if (cert === "" && key === "") return undefined;
  if (cert === "" || key === "") throw new SettingError("TLS_CERT and TLS_KEY must be set together.");
  const files = { cert, key };
  const why = unusable(files);
  if (why !== undefined) throw new SettingError(`TLS_CERT and TLS_KEY cannot be used: ${why}.`);
  return files;
}

/** Calls `changed` whenever the files of a certificate have changed and can be used. */
export async function watchCertificate(
  files: CertificateFiles,
  changed: () => Promise<void>,
  log: Logger,
): Promise<FileWatch> {
  const stateNow = async () => `${await fileState(files.cert)} ${await fileState(files.key)}`;
  let seen = await stateNow();
  return new FileWatch(pollIntervalMs, async () => {
    const state = await stateNow();
    if (state === seen) return;
    seen = state;
    const why = unusable(files);
    // One of the files may be written before the other: then the next look finds both.
    if (why !== undefined)
      log.warn({ why }, "the renewed TLS certificate cannot be used yet; the previous one stays in use");
    else await changed();
  });
}

/** Returns why the files cannot be used, undefined where they can. */
function unusable({ cert, key }: CertificateFiles): string | undefined {
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
