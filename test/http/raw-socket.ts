import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { testKey, tlsSettings } from "../service.ts";

/** One HTTP answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Header fields by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Parts of a request besides its method and path. */
export interface RawRequest {
  /** Header lines in addition to `Host` and the test key; a line `X-API-Key: …` replaces the key. */
  readonly headers?: readonly string[];
  /** Sent with its `Content-Length` unless a header line frames it otherwise. */
  readonly body?: string | Uint8Array | undefined;
}

const endOfHead = "\r\n\r\n";

/** Writes a request as bytes; nothing of the path is changed or encoded. */
export function requestBytes(method: string, path: string, { headers = [], body }: RawRequest = {}): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: localhost", ...headers];
  const has = (name: string) => headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
  if (!has("x-api-key") && !has("authorization")) lines.push(`X-API-Key: ${testKey}`);
  const bytes = Buffer.from(body ?? "");
  if (body !== undefined && !has("content-length") && !has("transfer-encoding")) {
    lines.push(`Content-Length: ${bytes.length}`);
  }
  return Buffer.concat([Buffer.from(lines.join("\r\n") + endOfHead, "latin1"), bytes]);
}

/** The request that needs no worker. */
export const ping = requestBytes("GET", "/v1/ping");

/** A POST of JSON as bytes. */
export function postBytes(path: string, body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  return requestBytes("POST", path, { headers: ["Content-Type: application/json", ...headers], body });
}

/** A chunk of a body; the empty one ends it. */
export function chunkOf(piece: string): string {
  return `${piece.length.toString(16)}\r\n${piece}\r\n`;
}

/** A body in chunks of at most `size` bytes. */
export function inChunks(body: string, size = body.length): string {
  let chunks = "";
  for (let at = 0; at < body.length; at += size) chunks += chunkOf(body.slice(at, at + size));
  return chunks + chunkOf("");
}

/** A POST of JSON whose body comes in chunks of at most `size` bytes. */
export function postInChunks(path: string, body: string, size?: number): Buffer {
  return postBytes(path, inChunks(body, size), ["Transfer-Encoding: chunked"]);
}

/** A connection on which a test writes bytes and reads answers one after the other. */
export class RawConnection {
  readonly socket: Socket;
  /** Resolves when the connection is over, by either side. */
  readonly closed: Promise<unknown>;
  #received = Buffer.alloc(0);
  #wake: (() => void) | undefined;

  /** Over a socket that is connected. */
  constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake?.();
    });
    // A reset is one of the ways a connection may end; what was received before it counts.
    socket.on("error", () => {});
    this.closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.once("close", () => this.#wake?.());
  }

  /**
   * Connects to a port of the local machine from one of its addresses, over TLS where the tests run over it; rejects if
   * nothing listens.
   */
  static async open(port: number, localAddress = "127.0.0.1"): Promise<RawConnection> {
    const place = { port, host: "127.0.0.1", localAddress };
    const isSecure = tlsSettings !== undefined;
    const socket = isSecure ? connectTls(place) : connect(place);
    await once(socket, isSecure ? "secureConnect" : "connect");
    return new RawConnection(socket);
  }

  /** Writes bytes and resolves when the kernel has taken them. */
  async send(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      this.socket.write(bytes, () => resolve());
    });
  }

  /** Reads the next answer; rejects if the connection ends before it is whole. `toHead`: it has no body. */
  async answer(toHead = false): Promise<RawAnswer> {
    for (;;) {
      const parsed = parseAnswer(this.#received, toHead);
      if (parsed !== undefined) {
        this.#received = this.#received.subarray(parsed.length);
        return parsed.answer;
      }
      if (this.isOver)
        throw new Error(`the connection ended after ${this.#received.length} bytes of an answer`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Sends a request and reads the next answer. */
  async ask(request: string | Uint8Array): Promise<RawAnswer> {
    void this.send(request);
    return this.answer(Buffer.from(request).toString("latin1", 0, 5) === "HEAD ");
  }

  /** Whether the connection is over. */
  get isOver(): boolean {
    return this.socket.closed;
  }

  /** Received bytes after the answers that were read. */
  get unread(): string {
    return this.#received.toString("latin1");
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.socket.destroy();
  }

  /** The same at the end of the block that declares it with `using`. */
  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Sends bytes on a connection that has no other use, a new one to a port, and returns the first answer. */
export async function exchangeOnce(to: number | RawConnection, bytes: Uint8Array): Promise<RawAnswer> {
  using connection = typeof to === "number" ? await RawConnection.open(to) : to;
  return await connection.ask(bytes);
}

/** Reads the first answer in some bytes, and its length with its head; undefined if it is not whole. */
function parseAnswer(bytes: Buffer, toHead: boolean): { answer: RawAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf(endOfHead);
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const bodyStart = headEnd + endOfHead.length;
  const status = Number(statusLine.split(" ")[1]);
  const length =
    toHead || status === 304 ? 0 : Number(headers.get("content-length") ?? bytes.length - bodyStart);
  if (bytes.length < bodyStart + length) return undefined;
  const body = Buffer.from(bytes.subarray(bodyStart, bodyStart + length));
  return { answer: { status, headers, body }, length: bodyStart + length };
}
