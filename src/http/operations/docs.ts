import { docsFile } from "../docs/serve.ts";
import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

/** `GET /service/docs` and the files the page loads, `GET /service/docs/{asset}`. */
export const docs: Operation = (_, call) => {
  const file = docsFile(call.parameters[0] ?? "");
  if (file === undefined) call.exchange.refuse("not_found");
  else answerUnlessKnown(call, file.content, file.headers);
};
