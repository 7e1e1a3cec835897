import type { Operation } from "./operation.ts";

const answering =
  (message: string): Operation =>
  (_, call) =>
    call.exchange.answerJson(200, { status: 1, message });

/** `GET /v1/ping` */
export const ping = answering("Pong");

/** `GET /v1/test` */
export const testPing = answering("Testmode - Ping");
