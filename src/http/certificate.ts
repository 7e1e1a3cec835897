import { createSecureContext } from "node:tls";
import type { Logger } from "pino";
import { fileState, watchFiles } from "../process/file-watch.ts";
import { readWholeFile } from "../process/files.ts";
import { SettingError } from "../settings.ts";

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

/**
 * Calls `changed` whenever the files of a certificate have changed and can be used. Files that cannot be used are reported
 * once and tried again at every look: one of them may be written before the other, or all descriptors be in use.
 */
export async function watchCertificate(files: CertificateFiles, changed: () => void, log: Logger) {
  const stateNow = async () => `${await fileState(files.cert)} ${await fileState(files.key)}`;
  let used = await stateNow();
  let failed: string | undefined;
  const late = (seconds: number) =>
    log.error({ seconds }, "the TLS certificate's files do not answer; the one in use stays until they do");
  return watchFiles(
    pollIntervalMs,
    async () => {
      const state = await stateNow();
      if (state === used) return;
      try {
        await expectUsable(files);
        changed();
        used = state;
      } catch (error) {
        const why = (error as Error).message;
        if (state !== failed)
          log.warn({ why }, "the renewed TLS certificate cannot be used yet; the previous one stays in use");
        failed = state;
      }
    },
    late,
  );
}

async function expectUsable({ cert, key }: CertificateFiles): Promise<void> {
  try {
    createSecureContext({ cert: await readWholeFile(cert), key: await readWholeFile(key) });
  } catch (error) {
    throw unusable((error as Error).message);
  }
}

export function unusable(why: string): SettingError {
  return new SettingError(`TLS_CERT and TLS_KEY cannot be used: ${why}.`);
}
