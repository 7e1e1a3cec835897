import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { pageFile } from "../../src/http/pages/serve.ts";
import { useSharedService } from "../service.ts";
import { exchangeOnce, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

/** Fetches without a key and with exactly these headers; `fetch` would ask for encodings of its own. */
const got = (path: string, ...headers: readonly string[]) =>
  exchangeOnce(service.port, requestBytes("GET", path, { headers: ["X-API-Key:", ...headers] }));

/** The files that the console's page names. */
async function consoleFiles(): Promise<string[]> {
  const { body } = await got("/service/console");
  return [...body.toString().matchAll(/"(\/service\/console\/[^"]+)"/g)].map(([, path]) => path!);
}

test("a page and its files are served in the smallest accepted encoding", async () => {
  for (const path of [...(await consoleFiles()), "/service/console"]) {
    const plain = await got(path);
    assert.equal(plain.status, 200, path);
    assert.equal(plain.headers.get("content-encoding"), undefined, path);
    assert.equal(plain.headers.get("vary"), "Accept-Encoding");
    const brotli = await got(path, "Accept-Encoding: gzip, deflate, br");
    const gzip = await got(path, "Accept-Encoding: br;q=0, gzip;q=0.5");
    if (plain.body.length < 1_024) continue;
    assert.equal(brotli.headers.get("content-encoding"), "br", path);
    assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
    assert.equal(gzip.headers.get("content-encoding"), "gzip", path);
    assert.deepEqual(gunzipSync(gzip.body), plain.body);
    assert.equal(new Set([plain, brotli, gzip].map(({ headers }) => headers.get("etag"))).size, 3);
  }
});

test("files named by their content may be kept for a year, pages for five minutes, then they are answered 304", async () => {
  const files = await consoleFiles();
  assert.ok(files.length >= 2, "a style and a script");
  for (const path of files)
    assert.equal((await got(path)).headers.get("cache-control"), "public, max-age=31536000, immutable");
  const page = await got("/service/console");
  assert.equal(page.headers.get("cache-control"), "private, max-age=300");
  const again = await got("/service/console", `If-None-Match: ${page.headers.get("etag")}`);
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test("a name that is not a file of the page is not found, and none leads out of its folder", async () => {
  for (const name of ["none.js", "main.ts", "..%2Fpackage.json", "index.html.br"]) {
    const { status } = await got(`/service/console/${name}`);
    assert.ok(status === 404 || status === 403, `${name}: ${status}`);
  }
});

test("a page keeps its script and style while a build replaces the files", (t) => {
  const page = Buffer.from(pageFile("", "")!.content).toString();
  t.mock.method(fs, "readFileSync", () => assert.fail("a file is read again"));
  syncBuiltinESMExports();
  try {
    for (const [, name] of page.matchAll(/"\/service\/console\/([^"]+)"/g))
      for (const encodings of ["", "gzip", "br"])
        assert.ok(pageFile(name!, encodings)!.content.length > 0, name);
  } finally {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  }
});
