import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { exampleOf } from "../../banks/import/new-forms.ts";
import { freePort } from "../../free-port.ts";
import { sharedFile, sharedMissing } from "../../shared.ts";
import { newFolder } from "../../support/folders.ts";
import { closed, listen } from "../../support/listen.ts";
import { type EndHere, runHere } from "../../support/run-here.ts";
import { startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";

const skip = sharedMissing;
const stateDir = newFolder();
const blobs = "/resource/blob/602632/931479c71c7da90686c23b941148d83b/mL";
const blzPath = `${blobs}/blz-aktuell-txt-data.txt`;
const sclPath = `${blobs}/verzeichnis-der-erreichbaren-zahlungsdienstleister-data.csv`;
const official = (name: string): Buffer => readFileSync(sharedFile(`data/official/${name}`)!);

/** Files that the source serves, by path; it serves its pages at any other path. */
let files: Map<string, Buffer>;
let page: string;
let server: Server;
let source: string;
before(async () => {
  [source, server] = await sourceOf((path, response) => {
    const file = files.get(path);
    if (file !== undefined) response.end(file);
    else if (path.startsWith("/resource/")) response.writeHead(404).end();
    else response.setHeader("Content-Type", "text/html; charset=utf-8").end(page);
  });
});
beforeEach(() => {
  if (skip) return;
  rmSync(join(stateDir, "data"), { recursive: true, force: true });
  files = new Map([
    [blzPath, official("blz-168-2026-03-09.txt")],
    [sclPath, official("scl-2026-05-25.csv")],
  ]);
  page = `<html><body><h1>Bankleitzahlen</h1><ul>
    <li><a class="x" href="https://elsewhere.invalid/blz-aktuell-xml-data.xml">not this one</a></li>
    <li><a class="linklist" href='${blzPath}' title="TXT">Bankleitzahlendatei, g&uuml;ltig vom 09.03.2026 bis 07.06.2026 <b>2 MB, TXT</b></a></li>
    <li><a href="${sclPath}">Verzeichnis der erreichbaren Zahlungsdienstleister</a></li></ul></body></html>`;
});
after(() => {
  server.close();
});

const update = (address: string, ...args: readonly string[]): Promise<EndHere> =>
  runHere(["data", "update", "--source", address, ...args], { STATE_DIR: stateDir });

async function expectUntouched(result: Promise<EndHere>, message: RegExp, code = 6): Promise<void> {
  await expectEnd(result, code, message);
  assert.ok(!existsSync(join(stateDir, "data")));
}

function editionsIn(folder: string): string[] {
  const { editions } = JSON.parse(readFileSync(join(folder, "data", "manifest.json"), "utf8"));
  return editions.map(({ dataset, validFrom }: Record<string, string>) => `${dataset} ${validFrom}`);
}

test("the files the page links to are fetched and imported", { skip }, async () => {
  const args = ["data", "update", "--source", source];
  const { stdout } = await expectEnd(startCommand(args, { STATE_DIR: stateDir }).result, 0);
  const report = stdout.toString();
  assert.match(report, /Valid from 2026-03-09 until 2026-06-07; 13877 rows, 3506 entries/);
  assert.match(report, /Valid from 2026-05-25; 4711 rows, 4711 entries/);
  assert.deepEqual(editionsIn(stateDir).sort(), [
    "banks 2026-11",
    "blz 2026-03-09",
    "blz 2026-09-07",
    "scl 2026-05-25",
  ]);
});

test("a page without the links, a link without file, or a file that is damaged on its way ends in one sentence", {
  skip,
}, async () => {
  files.set(blzPath, files.get(blzPath)!.subarray(0, 100_000));
  await expectUntouched(update(source), /^blz-aktuell-txt-data\.txt, line \d+: wrong number of columns/, 1);
  files.delete(sclPath);
  await expectUntouched(update(source), /cannot be fetched: it answers with status 404\.\n$/);
  page = "<html><body>Wartung</body></html>";
  await expectUntouched(update(source), /has no link to the bank codes: the page has changed\.\n$/);
});

test("without network, or a proxy that is not there, it ends in one sentence", { skip }, async () => {
  const closed = `http://127.0.0.1:${await freePort()}`;
  await expectUntouched(update(closed), /cannot be fetched: ECONNREFUSED\.\n$/);
  const proxied = update(source, "--proxy", closed);
  await expectUntouched(proxied, /cannot be fetched: .+ \(--proxy names a proxy\)\.\n$/);
  await expectUntouched(update("ftp://127.0.0.1"), /must be an address/, 1);
});

/** Answers of a faulty source, by request. */
const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "an error page that calls itself fine": (response) =>
    response.end("<!DOCTYPE html>\n<html>Wartung</html>\n"),
  "an answer that is cut off": (response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write("Kód");
    setTimeout(() => response.destroy(), 50);
  },
  "gzip that is cut off": (response) => {
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(list).subarray(0, 40));
  },
  "redirects without an end": (response) => response.writeHead(302, { Location: "/again" }).end(),
  "no answer at all": () => {},
  "an answer that never ends": (response) => {
    const more = setInterval(() => response.write("x".repeat(1_000)), 20);
    response.on("close", () => clearInterval(more));
  },
};
const list = exampleOf("six").content;

async function sourceOf(answer: (path: string, response: ServerResponse) => void): Promise<[string, Server]> {
  const other = createServer((request, response) => answer(request.url ?? "", response));
  return [`http://127.0.0.1:${await listen(other)}`, other];
}

for (const [what, answer] of Object.entries(faults)) {
  test(`${what}: nothing is stored, one sentence says why`, async () => {
    const target = newFolder();
    const [address, other] = await sourceOf((_path, response) => answer(response));
    const args = ["data", "update", "--issuers", "cnb", "--source", address, "--timeout", "1500"];
    const { exit, stderr } = await runHere(args, { STATE_DIR: target });
    await closed(other);
    assert.ok(exit === 6 || exit === 1, `${exit} ${stderr}`);
    assert.match(stderr, /^[^\n]+\n$/);
    assert.ok(!existsSync(join(target, "data")));
  });
}

test("the lists of several issuers are fetched over redirects and compressed; one that is out leaves the others", async () => {
  const target = newFolder();
  const [address, other] = await sourceOf((path, response) => {
    if (path.startsWith("/api/epcd/")) response.writeHead(302, { Location: "/moved/list.zip" }).end();
    else if (path === "/moved/list.zip") response.end(zipSync({ "bankmaster.csv": list }));
    else if (path.endsWith("/vop.csv"))
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(vop));
    else if (path.endsWith(".csv") && path.includes("participants_export")) response.end(vop);
    else response.writeHead(404).end();
  });
  const args = ["data", "update", "--issuers", "six, cnb, epc", "--source", address, "--force"];
  const says = /^cnb could not be updated: .+ status 404\.\n1 of 3 issuers could not be updated\.\n$/;
  await expectEnd(runHere(args, { STATE_DIR: target }), 6, says);
  other.close();
  const listed = editionsIn(target);
  assert.ok(listed.includes("six 2026-11-20"), listed.join());
  for (const scheme of ["sct", "sct-inst", "sdd-core", "sdd-b2b", "vop"])
    assert.match(listed.join(), new RegExp(`\\bepc-${scheme} `));
});

/** A register with a column that the others do not have, and without some they have. */
const vop =
  '"Country","ParticipantName","City","BIC","Readiness Date","Scheme Leaving Date","Role"\n' +
  '"AUSTRIA","Testbank","Wien","TESTATWWXXX","2025-10-05","","both"\n';
