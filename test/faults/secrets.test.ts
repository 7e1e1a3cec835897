import assert from "node:assert/strict";
import { test } from "node:test";
import { exchangeOnce, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { expectNoSecrets } from "../secrets.ts";
import { startQuickService, testKey } from "../service.ts";

/** Each is sent where it may come out again, and found wherever it does. */
const wrongKey = "marked-wrong-key-0123456789";
const kontonummer = "532013000";
const iban = "DE89370400440532013000";
const broken = "DE88370400440532014000";

test("no key, IBAN or account number of any request gets into the log, an error or the output", async () => {
  const service = await startQuickService();
  const errors: string[] = [];
  const keep = async (answer: Response) => {
    const text = await answer.text();
    if (answer.status !== 200) errors.push(text);
  };
  for (const path of [
    `/v1/iban/${iban}?explain=1`,
    `/v1/iban/${broken}`,
    `/v1/iban/${iban}/COBADEFFXXX/more`,
    `/v1/iban/${iban}/no-bic`,
    `/v1/iban/${iban}%zz`,
    `/v1/kto/${kontonummer}/37040044?sepa=2`,
    `/v1/kto/${kontonummer}x/37040044`,
    `/v1/nothing/${iban}?key=${testKey}`,
    `/elsewhere/${iban}`,
    `/v1/search?name=${iban}&max=${kontonummer}`,
  ]) {
    await keep(await service.request(path));
    await keep(await service.request(path, { headers: { Authorization: `Bearer ${wrongKey}` } }));
    await keep(await service.request(path, { method: "DELETE" }));
  }
  for (const body of [
    { iban, ibans: [iban] },
    { iban: `${iban}ä` },
    { iban, bic: iban },
    { kontonummer, bankleitzahl: `${kontonummer}x` },
    { ibans: [[iban], { iban }] },
    `{"iban":"${iban}"`,
    `["${iban}"]`,
    `{"ibans":["${iban}",]}`,
  ]) {
    for (const path of ["/v1/iban", "/v1/kto", "/v1/search"]) {
      await keep(await service.post(path, body));
      await keep(await service.post(path, body, { "Content-Type": `text/${iban}` }));
    }
  }
  for (const headers of [
    [`X-Request-Id: ${iban} ${testKey}`],
    [`Authorization: Basic ${testKey}`, `X-API-Key: ${testKey}`],
    [`Content-Length: ${kontonummer}`],
    [`Cookie: ${testKey}`],
  ]) {
    const { status, body } = await exchangeOnce(service.port, requestBytes("GET", "/v1/ping", { headers }));
    if (status !== 200) errors.push(body.toString());
  }
  const garbage = await RawConnection.open(service.port);
  await garbage.send(Buffer.from(`${iban} ${testKey}\r\n\r\n`));
  await garbage.closed;
  const unfinished = await RawConnection.open(service.port);
  await unfinished.send(requestBytes("POST", `/v1/iban`, { headers: ["Content-Length: 100"] }));
  unfinished.destroy();

  assert.ok(errors.length > 60, `${errors.length} errors were looked at`);
  assert.equal(await service.stop(), 0);
  for (const error of errors) expectNoSecrets(error, [testKey, wrongKey], "an error");
  expectNoSecrets(service.log() + service.output(), [testKey, wrongKey], "log or output");
});

test("the search for secrets finds each of them", () => {
  assert.throws(() => expectNoSecrets(`key=${testKey}`, [testKey], "x"), /holds test-key/);
  for (const other of ["GB29NWBK60161331926819", "GB29 NWBK 6016 1331 9268 19", "NO9386011117947"]) {
    assert.throws(() => expectNoSecrets(`at ${other} once`, [], "x"), { message: `x holds ${other}` });
  }
  assert.throws(() => expectNoSecrets(`{"kto":"0${kontonummer}"}`, [], "x"), /holds 532013000/);
  expectNoSecrets('{"level":30,"time":"2026-11-21T00:00:00.000Z","msg":"listening"}', [testKey], "x");
});
