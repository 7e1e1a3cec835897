import { Change } from "./change.ts";
import type { FetchedAnswer, PiecewiseFetch, PiecewiseInit } from "./fetch-answer.ts";

/** How long the second piece of a body waits for the beginning of the answer, which may be a refusal, in milliseconds. */
const maxRefusalMs = 1_000;

/** The part of Node's HTTP modules that is used; a browser has none of their types. */
interface HttpModule {
  readonly Agent: new (options: { readonly keepAlive: true }) => object;
  request(url: string, options: object, answered: (answer: Answer) => void): Request;
}

interface Emitter {
  on(event: "error" | "response" | "drain" | "close" | "end", listener: (error: Error) => void): unknown;
}

interface Answer extends Emitter, AsyncIterable<Uint8Array> {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

interface Request extends Emitter {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableNeedDrain: boolean;
  write(piece: string): boolean;
  end(body?: string | Uint8Array): unknown;
}

type LoadModule = (name: string) => unknown;

/** Undefined but in Node. No bundler for browsers looks for a module that is loaded this way. */
const { getBuiltinModule: loadModule } =
  (globalThis as { readonly process?: { readonly getBuiltinModule?: LoadModule } }).process ?? {};

/** The agent of each module, which keeps its connections open. */
const agents = new Map<HttpModule, object>();

async function send(url: string, { method, headers, body, signal }: PiecewiseInit): Promise<FetchedAnswer> {
  // The module for TLS is slow to load.
  const http = loadModule!(url.startsWith("https:") ? "node:https" : "node:http") as HttpModule;
  const agent = agents.get(http) ?? new http.Agent({ keepAlive: true });
  agents.set(http, agent);
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent, signal }, (answer) => {
      // An answer that is complete before the body needs no more of it.
      answer.on("end", () => request.end());
      resolve(fetchedAnswer(answer));
    });
    request.on("error", reject);
    if (typeof body !== "object" || body instanceof Uint8Array) request.end(body);
    else sendPieces(request, body).catch(reject);
  });
}

/**
 * A `fetch` over Node's own HTTP client with kept connections; undefined but in Node.
 *
 * Node's `fetch` takes each answer through several streams, which costs a batch about as much as reading its JSON.
 */
export const fetchOverHttp: PiecewiseFetch | undefined =
  loadModule === undefined ? undefined : Object.assign(send, { sendsPieces: true as const });

/** Sends a body as fast as it is taken; the first piece alone until the answer begins. */
async function sendPieces(request: Request, pieces: AsyncIterable<string>): Promise<void> {
  const [answer, room] = [new Change(), new Change()];
  const begun = answer.next(maxRefusalMs);
  request.on("response", () => answer.happened());
  request.on("drain", () => room.happened());
  request.on("close", () => {
    answer.happened();
    room.happened();
  });
  const isOver = () => request.destroyed || request.writableEnded;
  let isFirst = true;
  for await (const piece of pieces) {
    if (!isFirst) await begun;
    while (request.writableNeedDrain && !isOver()) await room.next();
    if (isOver()) return;
    request.write(piece);
    isFirst = false;
  }
  request.end();
}

function fetchedAnswer(answer: Answer): FetchedAnswer {
  const { statusCode: status = 0, headers } = answer;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const piece of answer) text += decoder.decode(piece, { stream: true });
      return text + decoder.decode();
    },
    body: answer,
  };
}
