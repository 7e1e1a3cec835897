import type { Call } from "./operation.ts";

/** Whether the client says that it has the answer of a tag already. */
export function isKnown({ ifNoneMatch }: Call, etag: string): boolean {
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(etag);
}

/** Answers with a body and its `ETag`, or with 304 where the client says that it has that one already. */
export function answerUnlessKnown(
  call: Call,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> & { readonly ETag?: string },
): void {
  call.exchange.answer(isKnown(call, headers.ETag ?? "") ? 304 : 200, body, headers);
}
