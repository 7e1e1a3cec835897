import type * as http from "node:http";
import type { Fetch, FetchedAnswer } from "../client/fetch-answer.ts";

/** Turns the bytes of an answer into the text that its JSON is read from. */
export type AnswerText = (bytes: Buffer) => string;

/** The answer's characters. */
export const characters: AnswerText = (bytes) => bytes.toString("utf8");

/**
 * One character for each byte, so that what answers say need neither be decoded nor encoded again.
 *
 * Escapes would become characters all the same, so an answer that has any is written without them first.
 */
export const byteCharacters: AnswerText = (bytes) => {
  const text = bytes.toString("latin1");
  if (!text.includes("\\u")) return text;
  return Buffer.from(JSON.stringify(JSON.parse(bytes.toString("utf8")))).toString("latin1");
};

/** Node's modules for each scheme with their kept connections; the one for TLS is slow to load. */
const transports = new Map<string, Promise<Transport>>();

type Transport = Pick<typeof http, "request"> & { readonly agent: http.Agent };

function transportOf(protocol: string): Promise<Transport> {
  let transport = transports.get(protocol);
  if (transport === undefined) {
    const loaded = protocol === "https:" ? import("node:https") : import("node:http");
    transport = loaded.then(({ request, Agent }) => ({ request, agent: new Agent({ keepAlive: true }) }));
    transports.set(protocol, transport);
  }
  return transport;
}

/**
 * Returns a `fetch` over Node's own HTTP client with kept connections.
 *
 * Node's `fetch` takes each answer through several streams, which costs a batch about as much as reading its JSON.
 */
export function fetchOverHttp(textOf: AnswerText): Fetch {
  return async (url, { method, headers, body, signal }) => {
    const { request: send, agent } = await transportOf(url.slice(0, url.indexOf("/")));
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const options = { method, headers: { ...headers, ...length }, agent, signal };
      const request = send(url, options, (response) => resolve(answerOf(response, textOf)));
      request.once("error", reject);
      request.end(body);
    });
  };
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
