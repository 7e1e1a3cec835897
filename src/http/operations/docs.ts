import { pageFile } from "../pages/serve.ts";
import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

/** `GET /service/docs`: the reference is a view of the console. */
export const docs: Operation = (_, { exchange }) => {
  exchange.answer(302, "", { Location: "/service/console#reference", "Content-Type": "text/html" });
};

/** `GET /service/console` and the files that the page loads. */
export const consolePage: Operation = (_, call) => {
  const file = pageFile(call.parameters[0] ?? "", call.acceptEncoding);
  if (file === undefined) call.exchange.refuse("not_found");
  else answerUnlessKnown(call, file.content, file.headers);
};
