import assert from "node:assert/strict";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { pino } from "pino";
import { watchCertificate } from "../../src/http/certificate.ts";
import { expectError } from "../contract/error-table.ts";
import { until } from "../faults/gate.ts";
import { quickServiceOf, startQuickService, useQuickService } from "../service.ts";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { newFolder } from "../support/folders.ts";
import { conflicting, next } from "./framings.ts";
import { exchangeOnce, ping, postBytes, RawConnection, requestBytes } from "./raw-socket.ts";

const iban = "DE89370400440532013000";
const batch = JSON.stringify({ ibans: Array(500).fill(iban) });

describe("over TLS", { skip: opensslMissing }, () => {
  const folder = newFolder();
  const files = (cert: string, key: string) => ({ TLS_CERT: join(folder, cert), TLS_KEY: join(folder, key) });

  function use(name: string): void {
    for (const kind of ["key", "crt"])
      copyFileSync(join(folder, `${name}.${kind}`), join(folder, `tls.${kind}`));
  }

  for (const name of ["first", "second"]) makeCertificate(folder, name);
  makeCertificate(folder, "unsupported", "brainpoolP256r1");
  use("first");
  const service = useQuickService({ BODY_TIMEOUT: "1000", ...files("tls.crt", "tls.key") });

  async function open(more: ConnectionOptions = {}): Promise<RawConnection> {
    const socket = connect({ port: service.port, host: "127.0.0.1", rejectUnauthorized: false, ...more });
    await once(socket, "secureConnect");
    return new RawConnection(socket);
  }

  const subjectOf = ({ socket }: RawConnection) =>
    (socket as TLSSocket).getPeerCertificate().subject.CN as string;
  const ask = async (request: Buffer) => exchangeOnce(await open(), request);

  test("the address names HTTPS, and checks and batches are answered over it", async () => {
    assert.match(service.url, /^https:/);
    assert.equal((await ask(requestBytes("GET", `/v1/iban/${iban}`))).status, 200);
    const { body } = await ask(postBytes("/v1/iban", batch));
    assert.equal((JSON.parse(body.toString()) as { batch: { total: number } }).batch.total, 500);
  });

  test("over TLS a request split at every byte is one, and a body that does not arrive in time ends the connection", async () => {
    const connection = await open();
    for (const byte of ping) void connection.send(Uint8Array.of(byte));
    assert.equal((await connection.answer()).status, 200);
    expectError(await connection.ask(postBytes("/v1/iban", "{", ["Content-Length: 10"])), "internal_error");
    await connection.closed;
  });

  test("over TLS refusals, framing and the limit of the body are those of HTTP", async () => {
    expectError(await ask(requestBytes("GET", "/v1/ping", { headers: ["X-API-Key: no"] })), "invalid_key");
    expectError(await ask(postBytes("/v1/iban", " ".repeat(131_073))), "payload_too_large");
    for (const [what, [headers, body]] of Object.entries(conflicting)) {
      const connection = await open();
      void connection.send(Buffer.concat([postBytes("/v1/iban", body, headers), next]));
      await connection.closed;
      assert.match(connection.unread, /^(HTTP\/1\.1 400 (?!.*smuggled)|$)/s, what);
    }
  });

  test("a connection without TLS is cut, and the next one with TLS is answered", async () => {
    await assert.rejects(exchangeOnce(service.port, ping));
    assert.equal((await ask(ping)).status, 200);
  });

  test("a renewed certificate is used, open connections continue, one that cannot be used is ignored", async () => {
    const subjectNow = async () => {
      using connection = await open();
      return subjectOf(connection);
    };
    using kept = await open();
    assert.equal(await subjectNow(), "first.test");
    copyFileSync(join(folder, "second.crt"), join(folder, "tls.crt"));
    await until(() => service.log().includes("cannot be used yet"));
    assert.equal(await subjectNow(), "first.test");
    use("unsupported");
    await until(() => service.log().includes("does not support this kind of key"));
    assert.equal(await subjectNow(), "first.test");
    use("second");
    await until(async () => (await subjectNow().catch(() => "")) === "second.test");
    assert.equal((await kept.ask(ping)).status, 200);
  });

  test("a renewed certificate that the server cannot take over is tried again, and reported once", async () => {
    const files = { cert: join(folder, "late.crt"), key: join(folder, "late.key") };
    makeCertificate(folder, "late");
    const lines: string[] = [];
    let attempts = 0;
    const changed = () => {
      attempts++;
      if (attempts < 3) throw new Error("too many open files");
    };
    const log = pino({}, { write: (line) => void lines.push(line) });
    const watch = await watchCertificate(files, changed, log);
    watch.close();
    makeCertificate(folder, "late");
    for (let look = 0; look < 5; look++) await watch.look();
    assert.deepEqual([attempts, lines.length], [3, 1]);
    assert.match(lines[0]!, /cannot be used yet/);
  });

  test("certificates that are renewed under a storm of new connections cost none of them", async () => {
    const seen = new Set<string>();
    let isOver = false;
    const last = requestBytes("GET", "/v1/ping", { headers: ["Connection: close"] });
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const connection = await open();
        seen.add(subjectOf(connection));
        assert.equal((await connection.ask(last)).status, 200);
        await connection.closed;
      }
    });
    for (const name of ["first", "second", "first", "second"]) {
      seen.clear();
      use(name);
      await until(() => seen.has(`${name}.test`));
    }
    isOver = true;
    await Promise.all(clients);
  });

  test("a suite without forward secrecy is refused", async () => {
    const connected = async (ciphers: string) => {
      using connection = await open({ maxVersion: "TLSv1.2", ciphers });
      return (connection.socket as TLSSocket).getCipher().name;
    };
    assert.match(await connected("ECDHE-ECDSA-AES128-GCM-SHA256"), /^ECDHE-ECDSA-AES128-GCM/);
    for (const suite of ["AES128-GCM-SHA256", "AES256-SHA", "ECDHE-ECDSA-AES128-SHA"])
      await assert.rejects(connected(suite), /handshake failure/, suite);
  });

  test("several processes share a port over TLS, and one that is killed is replaced", async (t) => {
    const own = await quickServiceOf(t, { PROCESSES: "2", ...files("first.crt", "first.key") });
    const pids = () =>
      [...own.log().matchAll(/"pid":(\d+),"msg":"process started"/g)].map(([, pid]) => Number(pid));
    process.kill(pids()[0]!, "SIGKILL");
    await until(() => pids().length === 3);
  });

  test("one of the two settings alone, or files that do not fit, are refused in one sentence", async () => {
    for (const settings of [
      { TLS_CERT: join(folder, "first.crt") },
      files("first.crt", "second.key"),
      files("absent.crt", "first.key"),
      files("unsupported.crt", "unsupported.key"),
    ]) {
      await assert.rejects(startQuickService(settings), /ended with 2 .*TLS_CERT/s);
    }
  });
});
