import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../free-port.ts";
import { exchangeOnce, postBytes, requestBytes } from "../http/raw-socket.ts";
import { startQuickService } from "../service.ts";
import { newFolder } from "../support/folders.ts";

/** All is logged at the first; metrics, usage and files are the same at every level. */
const levels = ["trace", "silent"];

/** Account numbers that occur nowhere else, as digits of IBANs and alone. */
const accounts = ["5320130917", "60161331926819", "9386011117947", "0417164300"];
const [german = "", british = "", norwegian = "", austrian = ""] = accounts;
const ibans = [`DE8937040044${german}`, `GB29NWBK${british}`, `NO${norwegian}`, `AT6119043002${austrian}`];

/** Requests of every kind: right, wrong, broken, refused. */
const requests: readonly Buffer[] = [
  ...ibans.flatMap((iban) => [
    requestBytes("GET", `/v1/iban/${iban}?explain=1&lang=de`),
    requestBytes("GET", `/v1/iban/${iban}/COBADEFFXXX`),
    requestBytes("GET", `/v1/iban/${iban}/too/long`),
    requestBytes("DELETE", `/v1/iban/${iban}`),
    requestBytes("GET", `/elsewhere/${iban}?iban=${iban}`),
    requestBytes("GET", `/v1/iban/${iban}`, { headers: ["X-API-Key: wrong-key-0123456789"] }),
    requestBytes("GET", "/v1/ping", { headers: [`X-Request-Id: ${iban} ${iban}`, `Cookie: ${iban}`] }),
    postBytes("/v1/iban", JSON.stringify({ iban, bic: iban })),
    postBytes("/v1/iban", `{"iban":"${iban}`),
    postBytes("/v1/search", JSON.stringify({ name: iban })),
  ]),
  postBytes("/v1/iban", JSON.stringify({ ibans })),
  postBytes("/v1/iban", JSON.stringify({ ibans, iban: ibans[0] })),
  requestBytes("GET", `/v1/kto/${german}/37040044?sepa=1`),
  requestBytes("GET", `/v1/kto/${german}x/37040044`),
  postBytes("/v1/kto", JSON.stringify({ kontonummer: german, bankleitzahl: "37040044", [german]: british })),
];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function expectNoAccount(text: string, where: string): void {
  for (const account of accounts) assert.ok(!text.includes(account), `${where} holds ${account}`);
}

for (const level of levels) {
  test(`at the log level ${level} no account number gets into log, metrics, usage or a file`, async () => {
    const stateDir = newFolder();
    const adminPort = await freePort();
    const service = await startQuickService({
      ...{
        LOG_SAMPLE: "1",
        LOG_LEVEL: level,
        PORT: String(await freePort()),
        STATE_DIR: stateDir,
        ADMIN_PORT: String(adminPort),
        POOL_SIZE: "1",
      },
    });
    for (const request of requests) await exchangeOnce(service.port, request);
    const texts = [
      await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
      ...(await Promise.all(
        ["metrics", "usage", "health"].map(async (page) =>
          (await service.request(`/service/${page}`)).text(),
        ),
      )),
    ];
    assert.equal(await service.stop(), 0);
    for (const text of texts) expectNoAccount(text, "what the service says of itself");
    expectNoAccount(service.log() + service.output(), "the log");
    const files = filesIn(stateDir);
    assert.ok(files.length > 0);
    for (const file of files) expectNoAccount(readFileSync(file, "latin1"), file);
  });
}
