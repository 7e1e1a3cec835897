import { pageFile } from "../pages/serve.ts";
import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

function servePage(page: string): Operation {
  return (_, call) => {
    const file = pageFile(`${page}/${call.parameters.join("/")}`, call.acceptEncoding);
    if (file === undefined) call.exchange.refuse("not_found");
    else answerUnlessKnown(call, file.content, file.headers);
  };
}

/** `GET /service/docs` and the files the page loads, `GET /service/docs/{asset}`. */
export const docs = servePage("docs");

/** `GET /service/console` and the files the page loads, some of them in a folder of their own. */
export const consolePage = servePage("console");
