import * as http from "node:http";
import * as https from "node:https";
import type { Fetch, FetchedAnswer } from "../client/exchange.ts";
import type { AnswerText } from "./answer-text.ts";

const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

/**
 * Makes what sends requests as `fetch` does, over Node's own HTTP client with kept connections.
 *
 * Node's `fetch` takes each answer through several streams, which costs a batch about as much as reading its JSON.
 */
export function fetchOverHttp(textOf: AnswerText): Fetch {
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const isSecure = url.startsWith("https:");
      const options = {
        method,
        headers: body === undefined ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) },
        agent: isSecure ? agents.https : agents.http,
        signal,
      };
      const request = (isSecure ? https : http).request(url, options, (response) =>
        resolve(answerOf(response, textOf)),
      );
      request.once("error", reject);
      request.end(body);
    });
}

function answerOf(response: http.IncomingMessage, textOf: AnswerText): FetchedAnswer {
  const { statusCode: status = 0, headers } = response;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    text: () =>
      new Promise((resolve, reject) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.once("error", reject);
        response.once("end", () => resolve(textOf(Buffer.concat(pieces))));
      }),
    body: response,
  };
}
