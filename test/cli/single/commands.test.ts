import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { test } from "node:test";
import { sharedService, testKey } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { listen } from "../../support/listen.ts";
import { checkHere, runHere } from "../../support/run-here.ts";
import { startCommand } from "../../support/start-command.ts";
import { serviceEnvironment } from "../with-service.ts";

/** Runs a command in this process. A person waits for two and a half seconds, a test on a busy machine for longer. */
const bankcheck = async (command: string, ...args: readonly string[]) =>
  runHere([command, "--timeout", "60000", ...args], await serviceEnvironment());

test("bankcheck iban shows the bank and every check, and takes the IBAN in pieces", async () => {
  const args = "de89 3704 0044 0532 0130 00 --bic COBADEFF".split(" ");
  const { exit, stdout } = await bankcheck("iban", ...args);
  assert.equal(exit, 0);
  assert.match(stdout, /^The IBAN is valid\.\n/);
  for (const line of [
    "  IBAN        DE89 3704 0044 0532 0130 00",
    "  bank        Commerzbank, 50447 Köln, DE",
    "  SEPA        SCT, SDD, B2B, SCC",
    "  ✓ Length: 22 of 22 characters",
    "  ✓ BIC: Padded with XXX, the BIC is the bank's own",
  ]) {
    assert.ok(stdout.split("\n").includes(line), `${line} in\n${stdout}`);
  }
});

test("an IBAN that is wrong shows where, and what was probably meant; its exit code is 4", async () => {
  const wrong = await bankcheck("iban", "DE88370400440532013000");
  assert.equal(wrong.exit, 4);
  assert.match(wrong.stdout, / {2}IBAN {8}DE88 3704 0044 0532 0130 00\n {16}\^\^\n/);
  assert.match(wrong.stdout, /✗ Check digits of the IBAN/);
  const german = await bankcheck("iban", "DE88370400440532013000", "--lang", "de");
  assert.match(
    german.stdout,
    /^Die IBAN ist ungültig.*\n {2}✗ Prüfziffern der IBAN; erwartet: 89\n.*Vielleicht gemeint:\n/s,
  );
  assert.match(wrong.stdout, /Did you mean:\n.*DE89 3704 0044 0532 0130 00 {2}Commerzbank/s);
  assert.ok(!wrong.stdout.includes("right would be"));
  const none = await bankcheck("iban", "hello");
  assert.equal(none.exit, 4);
});

test("several IBANs are checked in order, each also in pieces, and as people write them", async () => {
  const { exit, stdout } = await bankcheck(
    "iban",
    ..."DE89 3704 0044 0532 0130 00 DE88370400440532013000".split(" "),
  );
  assert.equal(exit, 4);
  assert.equal(stdout.match(/^ {2}IBAN /gm)?.length, 2);
  const json = JSON.parse(
    (await bankcheck("iban", "--json", "DE89370400440532013000", "GB29NWBK60161331926819")).stdout,
  );
  assert.deepEqual(
    (json as { data: { country: string } }[]).map(({ data }) => data.country),
    ["DE", "GB"],
  );
  assert.equal((await bankcheck("iban", "IBAN: DE89-3704-0044-0532-0130-00")).exit, 0);
});

test("answers are coloured on request, and errors are JSON with --json", async () => {
  assert.ok(
    (await bankcheck("iban", "DE89370400440532013000", "--color", "always")).stdout.startsWith("\u001b[32m"),
  );
  assert.ok(!(await bankcheck("iban", "DE89370400440532013000")).stdout.includes("\u001b"));
  const failed = await bankcheck("search", "--zip", "x", "--json");
  const { error } = JSON.parse(failed.stderr) as { error: { code: string; exit_code: number } };
  assert.deepEqual([error.code, error.exit_code], ["invalid_zip", 1]);
  for (const [args, code] of [
    [["iban", "x", "--nope"], "unknown_option"],
    [["check", "x", "--concurrency", "0"], "invalid_argument"],
    [["chekc"], "unknown_command"],
  ] as const) {
    const { exit, stdout, stderr } = await runHere([...args, "--json"]);
    assert.deepEqual([exit, stdout], [1, ""]);
    const wrong = JSON.parse(stderr) as { error: { code: string; message: string; exit_code: number } };
    assert.deepEqual([wrong.error.code, wrong.error.exit_code], [code, 1]);
    assert.match(wrong.error.message, /nope|concurrency|chekc/);
  }
});

test("bankcheck kto checks an account and generates its IBAN", async () => {
  const wrong = await bankcheck("kto", "532013001", "10010010");
  assert.equal(wrong.exit, 4);
  assert.match(wrong.stdout, /✗ Check digit of the account number: Method 24; expected 2\n/);
  assert.doesNotMatch(wrong.stdout, /IBAN {8}/);
  const generated = await bankcheck("kto", "532013000", "37040044", "--sepa");
  assert.equal(generated.exit, 0);
  assert.match(generated.stdout, /IBAN {8}DE89 3704 0044 0532 0130 00/);
  assert.equal((await bankcheck("kto", "0", "37040044")).exit, 4);
  // The check that fails is that of an account number which the IBAN rule accepts at another bank code.
  const moved = await bankcheck("kto", "5495828096", "50050222", "--sepa");
  assert.match(moved.stdout, /IBAN {8}DE80 5005 0201 5495 8280 96\n {2}account/);
});

test("bankcheck search lists banks and says how many more there are", async () => {
  const { exit, stdout } = await bankcheck("search", "commerzbank", "--location", "Köln", "--max", "1");
  assert.equal(exit, 0);
  assert.match(stdout, /^BLZ +BIC +bank +place\n\d{8} +\w+ +.*Commerzbank.* +\d{5} Köln\n\n\d+ more; --max/);
  assert.equal((await bankcheck("search", "--blz", "99999999")).exit, 4);
  const missing = await bankcheck("search");
  assert.equal(missing.exit, 1);
  assert.match(missing.stderr, /At least one of/);
});

test("--lang chooses the language of messages, --country and --bic the banks of a search", async () => {
  assert.match(
    (await bankcheck("kto", "532013000", "37040044", "--lang", "de")).stdout,
    /^Kontonummer und Bankleitzahl sind gültig/,
  );
  const found = await bankcheck("search", "--bic", "GIBAAT", "--country", "AT", "--lang", "de", "--max", "2");
  assert.equal(found.exit, 0, found.stderr);
  assert.match(found.stdout, /^BLZ +BIC +Bank +Ort\n.*\n\n\d+ weitere; --max zeigt/s);
  assert.match(found.stdout, /20111 +GIBAATWWXXX/);
});

test("without a service, a command fails after some two seconds and says why", async () => {
  const silent = createServer(() => {});
  const port = await listen(silent);
  for (const [url, reason] of [
    ["http://127.0.0.1:1", /^The service cannot be reached: connect ECONNREFUSED .* \(unreachable\)$/m],
    [`http://127.0.0.1:${port}`, /^The service did not answer in full within 2500 ms\. \(timed_out\)$/m],
  ] as const) {
    const begun = performance.now();
    const elsewhere = { BANKCHECK_URL: url, BANKCHECK_KEY: testKey };
    const { exit, stderr } = await startCommand(["iban", "DE89370400440532013000"], elsewhere).result;
    assert.equal(exit, 2);
    assert.match(stderr, reason);
    assert.ok(performance.now() - begun < 20_000, `${performance.now() - begun} ms`);
  }
  silent.close();
});

test("HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold, and an error says that a proxy was used", async () => {
  const asked: string[] = [];
  const service = await sharedService();
  const proxy = createServer(({ url = "", method, headers }, answer) => {
    asked.push(url);
    // A name that only the proxy knows.
    if (!url.startsWith("http://service.invalid/")) return void answer.writeHead(403).end("<html>no</html>");
    const { pathname, search } = new URL(url);
    const forwarded = request({ port: service.port, path: pathname + search, method, headers }, (found) => {
      answer.writeHead(found.statusCode!, found.headers);
      found.pipe(answer);
    });
    answer.req.pipe(forwarded);
  });
  proxy.on("connect", ({ url }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const port = await listen(proxy);
  const address = `http://user:geheim@127.0.0.1:${port}`;
  const away = "http://127.0.0.1:1";
  const environmentOf = (url: string, variables: Readonly<Record<string, string>>) => ({
    ...{ BANKCHECK_URL: url, BANKCHECK_KEY: testKey },
    ...variables,
  });
  const named = (port: number) =>
    `names the proxy 127\\.0\\.0\\.1:${port}, unless NO_PROXY names the host\\)`;
  for (const [url, variables, code, says] of [
    ["http://service.invalid", { HTTP_PROXY: address }, 0, /^The IBAN is valid\./],
    [
      "http://elsewhere.invalid",
      { HTTP_PROXY: address },
      2,
      `is HTTP status 403 \\(HTTP_PROXY ${named(port)}`,
    ],
    [
      "https://service.invalid",
      { HTTP_PROXY: away, HTTPS_PROXY: address },
      2,
      `407.*\\(HTTPS_PROXY ${named(port)}`,
    ],
    [service.url, { HTTP_PROXY: address, NO_PROXY: "example.org,127.0.0.1" }, 0, /^The IBAN is valid\./],
    [
      service.url,
      { HTTP_PROXY: away },
      2,
      `connect ECONNREFUSED 127\\.0\\.0\\.1:1 \\(HTTP_PROXY ${named(1)}`,
    ],
    ...["proxy:3128", "http://proxy:99999", "http://user:%zz@proxy"].map(
      (HTTP_PROXY) =>
        [
          service.url,
          { HTTP_PROXY },
          1,
          /^HTTP_PROXY must be an address, as in http:\/\/proxy:3128\.\n$/,
        ] as const,
    ),
  ] as const) {
    const args = ["iban", "DE89370400440532013000", "--retries", "0", "--timeout", "60000"];
    const { exit, stdout, stderr } = await runHere(args, environmentOf(url, variables));
    assert.equal(exit, code, stderr);
    assert.match(stdout + stderr, new RegExp(says));
    assert.doesNotMatch(stderr, /geheim/);
  }
  const input = "iban\nDE89370400440532013000\nDE88370400440532013000\n";
  const byProxy = environmentOf("http://service.invalid", { http_proxy: address });
  const file = await checkHere(newFolder(), ["check", "--select", "status"], input, byProxy);
  const output = "iban,status\nDE89370400440532013000,1\nDE88370400440532013000,0\n";
  assert.equal(file.output.toString(), output, file.stderr);
  const hosts = new Set(asked.map((url) => url.replace(/\/v1\/.*/, "")));
  assert.deepEqual(
    [...hosts],
    ["http://service.invalid", "http://elsewhere.invalid", "CONNECT service.invalid:443"],
  );
  assert.match(asked.at(-1)!, /^http:\/\/service\.invalid\/v1\/stream/, "the file as well");
  proxy.closeAllConnections();
  proxy.close();
});

test("with --json every line of standard error is JSON, what is waited for too", async () => {
  const elsewhere = { BANKCHECK_URL: "http://127.0.0.1:1", BANKCHECK_KEY: testKey };
  const { exit, stderr } = await startCommand(["search", "x", "--json", "--retries", "1"], elsewhere).result;
  assert.equal(exit, 2);
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.flatMap((line) => Object.keys(line)),
    ["note", "error"],
  );
});
