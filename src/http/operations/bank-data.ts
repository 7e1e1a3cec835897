import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

/** `GET /service/data`: the lists of bank data in use, by country. */
export const bankData: Operation = ({ about }, call) => {
  const body = JSON.stringify({ edition: about.data().edition, lists: about.lists() });
  answerUnlessKnown(call, body, { ETag: `"${about.dataTag()}"` });
};
