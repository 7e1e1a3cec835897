import { type MessageId, textOf } from "../../contract/message.ts";
import type { Operation } from "./operation.ts";

const answering =
  (id: MessageId): Operation =>
  (_, call) =>
    call.exchange.answerJson(200, { status: 1, message: textOf({ id }, "en") });

/** `GET /v1/ping` */
export const ping = answering("pong");

/** `GET /v1/test` */
export const testPing = answering("test_pong");
