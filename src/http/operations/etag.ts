import type { Call } from "./operation.ts";

/** Answers with a body and its `ETag`, or with 304 where the client says that it has that one already. */
export function answerUnlessKnown(
  { exchange, ifNoneMatch }: Call,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> & { readonly ETag?: string },
): void {
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes("*") || known.includes(headers.ETag ?? "")) exchange.answer(304, body, headers);
  else exchange.answer(200, body, headers);
}
