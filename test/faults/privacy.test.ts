import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../free-port.ts";
import { exchangeOnce, postBytes, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { expectNoSecrets } from "../secrets.ts";
import { startQuickService, testKey } from "../service.ts";
import { newFolder } from "../support/folders.ts";

/** Each is sent where it may come out again, and found wherever it does. */
const wrongKey = "marked-wrong-key-0123456789";
const [german, british, norwegian, austrian] = ["532013000", "60161331926819", "9386011117947", "0417164300"];
const ibans = ["DE89370400440532013000", `GB29NWBK${british}`, `NO${norwegian}`, `AT6119043002${austrian}`];
const [iban] = ibans;
const secrets = [testKey, wrongKey, german, british, norwegian, austrian];

const paths = [
  ...ibans.flatMap((one) => [
    `/v1/iban/${one}?explain=1&lang=de`,
    `/v1/iban/${one}/COBADEFFXXX`,
    `/v1/iban/${one}/no-bic`,
    `/v1/iban/${one}/too/long`,
    `/v1/iban/${one}%zz`,
    `/elsewhere/${one}?iban=${one}`,
  ]),
  `/v1/kto/${german}/37040044?sepa=1`,
  `/v1/kto/${german}/37040044?sepa=2`,
  `/v1/kto/${german}x/37040044`,
  `/v1/nothing/${iban}?key=${testKey}`,
  `/v1/search?name=${iban}&max=${german}`,
];
const bodies = [
  ...ibans.flatMap((one) => [JSON.stringify({ iban: one, bic: one }), `{"iban":"${one}`]),
  JSON.stringify({ ibans }),
  JSON.stringify({ iban, ibans }),
  JSON.stringify({ iban: `${iban}ä`, name: iban }),
  JSON.stringify({ kontonummer: german, bankleitzahl: "37040044", [german]: british }),
  JSON.stringify({ kontonummer: german, bankleitzahl: `${german}x` }),
  JSON.stringify({ ibans: [[iban], { iban }] }),
  `["${iban}"]`,
  `{"ibans":["${iban}",]}`,
];
const headers = [
  [`X-Request-Id: ${iban} ${testKey}`],
  [`Authorization: Basic ${testKey}`, `X-API-Key: ${testKey}`],
  [`Content-Length: ${german}`],
  [`Cookie: ${testKey} ${iban}`],
];

/** Requests of every kind: right, wrong, broken, refused. */
const requests: readonly Buffer[] = [
  ...paths.flatMap((path) => [
    requestBytes("GET", path),
    requestBytes("GET", path, { headers: [`X-API-Key: ${wrongKey}`] }),
    requestBytes("DELETE", path),
  ]),
  ...bodies.flatMap((body) => ["/v1/iban", "/v1/kto", "/v1/search"].map((path) => postBytes(path, body))),
  ...headers.map((lines) => requestBytes("GET", "/v1/ping", { headers: lines })),
];

test("no key, IBAN or account number gets into an error, log, metrics, usage or a file", async () => {
  const stateDir = newFolder();
  const adminPort = await freePort();
  const service = await startQuickService({
    LOG_SAMPLE: "1",
    LOG_LEVEL: "trace",
    STATE_DIR: stateDir,
    ADMIN_PORT: String(adminPort),
  });
  let errors = 0;
  for (const request of requests) {
    const { status, body } = await exchangeOnce(service.port, request);
    if (status === 200) continue;
    errors++;
    // An unknown property is named to the client that sent it.
    if (!request.includes(`"${german}":`)) expectNoSecrets(body.toString(), secrets, "an error");
  }
  assert.ok(errors > 60, `${errors} errors were looked at`);
  const garbage = await RawConnection.open(service.port);
  await garbage.send(Buffer.from(`${iban} ${testKey}\r\n\r\n`));
  await garbage.closed;
  const unfinished = await RawConnection.open(service.port);
  await unfinished.send(requestBytes("POST", `/v1/iban?iban=${iban}`, { headers: ["Content-Length: 100"] }));
  unfinished.destroy();
  const pages = ["metrics", "usage", "health"].map((page) => service.request(`/service/${page}`));
  for (const answer of [fetch(`http://127.0.0.1:${adminPort}/metrics`), ...pages])
    expectNoSecrets(await (await answer).text(), secrets, "what the service says of itself");
  assert.equal(await service.stop(), 0);
  expectNoSecrets(service.log() + service.output(), secrets, "log or output");
  const files = readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .map((name) => join(stateDir, name))
    .filter((path) => statSync(path).isFile());
  assert.ok(files.length > 0);
  for (const file of files) {
    const text = readFileSync(file, "latin1");
    for (const secret of secrets) assert.ok(!text.includes(secret), `${file} holds ${secret}`);
  }
});

test("the search for secrets finds each of them", () => {
  assert.throws(() => expectNoSecrets(`key=${testKey}`, [testKey], "x"), /holds test-key/);
  for (const other of ["GB29NWBK60161331926819", "GB29 NWBK 6016 1331 9268 19", "NO9386011117947"]) {
    assert.throws(() => expectNoSecrets(`at ${other} once`, [], "x"), { message: `x holds ${other}` });
  }
  assert.throws(() => expectNoSecrets(`{"kto":"0${german}"}`, [], "x"), /holds 532013000/);
  expectNoSecrets('{"level":30,"time":"2026-11-21T00:00:00.000Z","msg":"listening"}', [testKey], "x");
});
