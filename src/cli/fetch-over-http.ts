import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Fetch, FetchedAnswer } from "../client/fetch-answer.ts";

/**
 * Returns a `fetch` over Node's own HTTP client with kept connections, for addresses with the scheme of the given one.
 *
 * Node's `fetch` takes each answer through several streams, which costs a batch about as much as reading its JSON.
 */
export async function fetchOverHttp(address: string): Promise<Fetch> {
  // The module for TLS is slow to load.
  const { request: send, Agent } = /^https:/i.test(address)
    ? await import("node:https")
    : await import("node:http");
  const agent = new Agent({ keepAlive: true });
  return (url, { method, headers, body, signal }) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const options = { method, headers: { ...headers, ...length }, agent, signal };
      const request = send(url, options, (response) => resolve(answerOf(response)));
      request.once("error", reject);
      request.end(body);
    });
  };
}

function answerOf(response: IncomingMessage): FetchedAnswer {
  const { statusCode: status = 0, headers } = response;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    text: () => text(response),
    body: response,
  };
}
