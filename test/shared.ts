import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sharedFolder = fileURLToPath(new URL("../../shared/", import.meta.url));

/** Why a test that needs an issuer's official files is skipped, for `node:test`'s `skip` option. */
export const sharedMissing: string | false = existsSync(sharedFolder)
  ? false
  : "the folder ../shared with the official files is not beside this checkout";

/** Returns the absolute path of a file in the specification folder beside the checkout, or undefined if it is absent. */
export function sharedFile(path: string): string | undefined {
  const file = sharedFolder + path;
  return existsSync(file) ? file : undefined;
}
