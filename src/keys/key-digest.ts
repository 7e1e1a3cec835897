import { hash, randomBytes } from "node:crypto";

/** Makes a new API key: 32 random bytes as base64url, 43 characters. */
export function newApiKey(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 digest of an API key; only digests are ever stored or compared. */
export function digestOfKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
