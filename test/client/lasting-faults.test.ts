import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { createServer as createTcpServer, type Server } from "node:net";
import { test } from "node:test";
import type { TlsOptions } from "node:tls";
import { BankcheckClient, BankcheckError, type RetryNotice } from "../../src/client/index.ts";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { newFolder } from "../support/folders.ts";
import { listen } from "../support/listen.ts";

/** The error of a check at a server that a waiting client would never reach; fails if it is sent again. */
async function faultOf(server: Server, scheme: "http" | "https"): Promise<BankcheckError> {
  const port = await listen(server);
  const onRetry = ({ error }: RetryNotice) => assert.fail(error);
  const client = new BankcheckClient({ baseUrl: `${scheme}://127.0.0.1:${port}`, apiKey: "key", onRetry });
  try {
    await client.check("DE89370400440532013000");
  } catch (error) {
    assert.ok(error instanceof BankcheckError, String(error));
    return error;
  } finally {
    server.close();
  }
  throw new Error("there was an answer");
}

function tlsServer(options: TlsOptions = {}): Server {
  const { TLS_CERT, TLS_KEY } = makeCertificate(newFolder(), "server");
  const files = { cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) };
  return createServer({ ...files, ...options }, (_request, response) => response.end());
}

test("a certificate that is not trusted ends a call at once, with what to do", {
  skip: opensslMissing,
}, async () => {
  const { code, message } = await faultOf(tlsServer(), "https");
  assert.equal(code, "untrusted_certificate");
  assert.match(message, /self-signed certificate; .*NODE_EXTRA_CA_CERTS\.$/);
});

test("another protocol or version of TLS ends a call at once", { skip: opensslMissing }, async () => {
  const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const greeting = () => createTcpServer((socket) => socket.on("error", () => {}).end("220 ready\r\n"));
  for (const [server, scheme, reason] of [
    [tlsServer(old), "https", /protocol version|alert/],
    [greeting(), "https", /wrong version number|packet length/],
    [greeting(), "http", /Expected HTTP|Parse Error/],
  ] as const) {
    const { code, message } = await faultOf(server, scheme);
    assert.equal(code, "wrong_protocol", message);
    assert.match(message, reason);
    assert.ok(message.length < 160, message);
  }
});
