import { consoleFile, docsFile } from "../pages/serve.ts";
import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

function servePage(fileOf: typeof docsFile): Operation {
  return (_, call) => {
    const file = fileOf(call.parameters.join("/"));
    if (file === undefined) call.exchange.refuse("not_found");
    else answerUnlessKnown(call, file.content, file.headers);
  };
}

/** `GET /service/docs` and the files the page loads, `GET /service/docs/{asset}`. */
export const docs = servePage(docsFile);

/** `GET /service/console` and the files the page loads, some of them in a folder of their own. */
export const consolePage = servePage(consoleFile);
