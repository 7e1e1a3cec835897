import type { KeyHolder, KeyRing } from "../keys/key-ring.ts";
import type { RequestHeaders } from "./request-headers.ts";

const bearer = /^bearer +([^\s]+)$/i;

/**
 * Gives the holder of the key that a request carries, or undefined where it carries none that is valid.
 *
 * The key comes as `Authorization: Bearer <key>` (scheme in any case) or, where there is no bearer token, as
 * `X-API-Key: <key>`. Source: interface specification, section "Authentication".
 */
export function authenticate(headers: RequestHeaders, ring: KeyRing): KeyHolder | undefined {
  const key = bearer.exec(headers.authorization)?.[1] ?? headers.apiKey;
  return key === "" ? undefined : ring.holderOf(key);
}
