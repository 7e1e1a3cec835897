import { message } from "../../contract/message.ts";
import { fieldsOf } from "../../pool/requests.ts";
import type { Operation } from "./operation.ts";

/** `GET /service/usage`: what was counted for the calling key, and for all keys of its holder. */
export const usage: Operation = ({ usage: reader }, { exchange, holder }) => {
  if (holder === undefined) throw new Error("only holders of a key may ask for their usage");
  const { days = 0 } = fieldsOf(exchange.query, "usageQuery");
  exchange.detach();
  reader.summaryOf(holder, Number(days)).then(
    (summary) => exchange.answerJson(200, summary),
    () => exchange.refuse("internal_error", { message: message("usage_unavailable") }),
  );
};
