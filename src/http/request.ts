import { type Message, message } from "../contract/message.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { KeyHolder } from "../keys/key-table.ts";
import type { NativeRequest } from "./native.ts";

export type RequestHeaders = Readonly<ReturnType<typeof noHeaders>>;

const none: readonly string[] = [];

function noHeaders() {
  return {
    authorization: "",
    apiKey: "",
    contentType: "",
    contentEncoding: "",
    ifNoneMatch: "",
    accept: "",
    acceptEncoding: "",
    acceptLanguage: "",
    requestId: "",
    origin: "",
    /** `Access-Control-Request-Method`, which marks a preflight request. */
    preflightMethod: "",
    /** Whether the native layer takes `Connection` for `close`, which it recognises by its length. */
    wantsClose: false,
    contentLengths: none,
    transferEncodings: none,
  };
}

/** The headers that are being read: a visitor for each request would cost as much as what it does. */
let headers = noHeaders();

function readHeader(name: string, value: string): void {
  switch (name) {
    case "authorization":
      headers.authorization ||= value;
      break;
    case "x-api-key":
      headers.apiKey ||= value;
      break;
    case "content-type":
      headers.contentType ||= value;
      break;
    case "content-encoding":
      headers.contentEncoding ||= value;
      break;
    case "if-none-match":
      headers.ifNoneMatch ||= value;
      break;
    case "accept":
      headers.accept ||= value;
      break;
    case "accept-encoding":
      headers.acceptEncoding ||= value;
      break;
    case "accept-language":
      headers.acceptLanguage ||= value;
      break;
    case "x-request-id":
      headers.requestId ||= value;
      break;
    case "origin":
      headers.origin ||= value;
      break;
    case "access-control-request-method":
      headers.preflightMethod ||= value;
      break;
    case "connection":
      headers.wantsClose ||= value.length === "close".length;
      break;
    case "content-length":
      headers.contentLengths = [...headers.contentLengths, value];
      break;
    case "transfer-encoding":
      headers.transferEncodings = [...headers.transferEncodings, value];
      break;
  }
}

/**
 * Copies the headers that matter out of the native request; absent ones are empty. Of one sent twice the first counts,
 * except for the two that frame the body.
 */
export function readHeaders(request: NativeRequest): RequestHeaders {
  headers = noHeaders();
  request.forEach(readHeader);
  return headers;
}

/**
 * Reads the framing headers and refuses what an intermediary could read differently: returns the length of the body, 0 for
 * no body, undefined for one in chunks; or why the framing is refused.
 *
 * Refused: more than one Content-Length, one that is not a plain number, both framings at once, and a Transfer-Encoding
 * other than exactly `chunked`. Source: RFC 9112, section 6.
 */
export function readFraming({
  contentLengths,
  transferEncodings,
}: RequestHeaders): number | undefined | Message {
  if (contentLengths.length + transferEncodings.length === 0) return 0;
  if (contentLengths.length + transferEncodings.length > 1) return message("framing_repeated");
  if (transferEncodings.length === 1)
    return transferEncodings[0]!.toLowerCase() === "chunked" ? undefined : message("framing_encoding");
  const length = contentLengths[0]!;
  return /^\d{1,15}$/.test(length) ? Number(length) : message("framing_length");
}

const bearer = /^bearer +([^\s]+)$/i;

/**
 * Returns the holder of the key that a request carries, or undefined if it carries none that is valid.
 *
 * The key comes as `Authorization: Bearer <key>` (scheme in any case) or, where there is no bearer token, as
 * `X-API-Key: <key>`. Source: interface specification, section "Authentication".
 */
export function authenticate(headers: RequestHeaders, ring: KeyRing): KeyHolder | undefined {
  const { authorization, apiKey } = headers;
  const key = authorization === "" ? apiKey : (bearer.exec(authorization)?.[1] ?? apiKey);
  return key === "" ? undefined : ring.holderOf(key);
}
