import { answerUnlessKnown } from "./etag.ts";
import type { Operation } from "./operation.ts";

/** `GET /service/data`: the lists of bank data in use. */
export const bankData: Operation = ({ about }, call) => {
  const { edition } = about.data();
  const body = JSON.stringify({ edition, lists: about.lists(), registers: about.registers() });
  answerUnlessKnown(call, body, { ETag: `"${about.dataTag()}"` });
};
