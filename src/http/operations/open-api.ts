import { createHash } from "node:crypto";
import { openApiDocument } from "../../contract/openapi/document.ts";
import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

/** The document as it is served, with its ETag; made at the first request, since most starts never serve it. */
let served: { readonly bytes: Uint8Array; readonly headers: { readonly ETag: string } } | undefined;

/** `GET /service/openapi.json` */
export const openApi: Operation = (_, call) => {
  served ??= prepare();
  answerUnlessKnown(call, served.bytes, served.headers);
};

function prepare(): NonNullable<typeof served> {
  const bytes = Buffer.from(JSON.stringify(openApiDocument()));
  return { bytes, headers: { ETag: `"${createHash("sha256").update(bytes).digest("base64url")}"` } };
}
