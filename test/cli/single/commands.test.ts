import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { test } from "node:test";
import { sharedService, testKey } from "../../service.ts";
import { newFolder } from "../../support/folders.ts";
import { closed, listen } from "../../support/listen.ts";
import { checkHere, runHere } from "../../support/run-here.ts";
import { startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";
import { jsonLines } from "../printed.ts";
import { commerzbank, serviceEnvironment, wrong } from "../with-service.ts";

/** Runs a command in this process. A person waits for two and a half seconds, a test on a busy machine for longer. */
const bankcheck = async (command: string, ...args: readonly string[]) =>
  runHere([command, "--timeout", "60000", ...args], await serviceEnvironment());

/** Runs a line and expects its exit code. */
function ends(line: string, code: number) {
  const [command = "", ...args] = line.split(" ");
  return expectEnd(bankcheck(command, ...args), code);
}

test("bankcheck iban shows the bank and every check, and takes the IBAN in pieces", async () => {
  const { stdout } = await ends("iban de89 3704 0044 0532 0130 00 --bic COBADEFF", 0);
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
  const { stdout } = await ends(`iban ${wrong}`, 4);
  assert.match(stdout, / {2}IBAN {8}DE88 3704 0044 0532 0130 00\n {16}\^\^\n/);
  assert.match(stdout, /✗ Check digits of the IBAN/);
  assert.match(stdout, /Did you mean:\n.*DE89 3704 0044 0532 0130 00 {2}Commerzbank/s);
  assert.ok(!stdout.includes("right would be"));
  await ends("iban hello", 4);
});

test("several IBANs are checked in order, each also in pieces, and as people write them", async () => {
  const { stdout } = await ends(`iban DE89 3704 0044 0532 0130 00 ${wrong}`, 4);
  assert.equal(stdout.match(/^ {2}IBAN /gm)?.length, 2);
  const json = await ends(`iban --json ${commerzbank} GB29NWBK60161331926819`, 0);
  const [german, british] = JSON.parse(json.stdout);
  assert.deepEqual([german.data.country, british.data.country], ["DE", "GB"]);
  await expectEnd(bankcheck("iban", "IBAN: DE89-3704-0044-0532-0130-00"), 0);
});

test("answers are coloured on request, and errors are JSON with --json", async () => {
  assert.ok((await ends(`iban ${commerzbank} --color always`, 0)).stdout.startsWith("\u001b[32m"));
  assert.ok(!(await ends(`iban ${commerzbank}`, 0)).stdout.includes("\u001b"));
  for (const [line, code, says] of [
    ["search --zip x", "invalid_zip", /./],
    ["iban x --nope", "unknown_option", /nope/],
    ["check x --concurrency 0", "invalid_argument", /concurrency/],
    ["chekc", "unknown_command", /chekc/],
  ] as const) {
    const { stdout, stderr } = await ends(`${line} --json`, 1);
    assert.equal(stdout, "");
    const { error } = JSON.parse(stderr);
    assert.deepEqual([error.code, error.exit_code], [code, 1]);
    assert.match(error.message, says);
  }
});

test("bankcheck kto checks an account and generates its IBAN", async () => {
  const { stdout } = await ends("kto 532013001 10010010", 4);
  assert.match(stdout, /✗ Check digit of the account number: Method 24; expected 2\n/);
  assert.doesNotMatch(stdout, /IBAN {8}/);
  await ends("kto 0 37040044", 4);
  // The check that fails is that of an account number which the IBAN rule accepts at another bank code.
  const moved = await bankcheck("kto", "5495828096", "50050222", "--sepa");
  assert.match(moved.stdout, /IBAN {8}DE80 5005 0201 5495 8280 96\n {2}account/);
  const generated = await ends("kto 532013000 37040044 --sepa", 0);
  assert.match(generated.stdout, /IBAN {8}DE89 3704 0044 0532 0130 00/);
});

test("bankcheck search lists banks and says how many more there are", async () => {
  const { stdout } = await ends("search commerzbank --location Köln --max 1", 0);
  assert.match(stdout, /^BLZ +BIC +bank +place\n\d{8} +\w+ +.*Commerzbank.* +\d{5} Köln\n\n\d+ more; --max/);
  await ends("search --blz 99999999", 4);
  await expectEnd(bankcheck("search"), 1, /At least one of/);
});

test("--lang chooses the language of messages, --country and --bic the banks of a search", async () => {
  for (const [line, code, prints] of [
    ["kto 532013000 37040044", 0, /^Kontonummer und Bankleitzahl sind gültig/],
    [
      `iban ${wrong}`,
      4,
      /^Die IBAN ist ungültig.*\n {2}✗ Prüfziffern der IBAN; erwartet: 89\n.*Vielleicht gemeint:\n/s,
    ],
    [
      "search --bic GIBAAT --country AT --max 2",
      0,
      /^BLZ +BIC +Bank +Ort\n.*20111 +GIBAATWWXXX.*\n\n\d+ weitere; --max zeigt/s,
    ],
  ] as const)
    assert.match((await ends(`${line} --lang de`, code)).stdout, prints);
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
    await expectEnd(startCommand(["iban", commerzbank], elsewhere).result, 2, reason);
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
  const environment = { BANKCHECK_URL: "http://service.invalid", BANKCHECK_KEY: testKey };
  const named = (name: string, port: number) =>
    ` \\(${name} names the proxy 127\\.0\\.0\\.1:${port}, unless NO_PROXY names the host\\)`;
  const refused = `connect ECONNREFUSED 127\\.0\\.0\\.1:1${named("HTTP_PROXY", 1)}`;
  const noAddress = /^HTTP_PROXY must be an address, as in http:\/\/proxy:3128\.\n$/;
  const elsewhere = { BANKCHECK_URL: "http://elsewhere.invalid" };
  const secure = { BANKCHECK_URL: "https://service.invalid", HTTPS_PROXY: address };
  const here = { BANKCHECK_URL: service.url };
  for (const [variables, code, says] of [
    [{ HTTP_PROXY: address }, 0, ""],
    [{ HTTP_PROXY: address, ...elsewhere }, 2, `is HTTP status 403${named("HTTP_PROXY", port)}`],
    [{ HTTP_PROXY: away, ...secure }, 2, `407.*${named("HTTPS_PROXY", port)}`],
    [{ HTTP_PROXY: address, NO_PROXY: "example.org,127.0.0.1", ...here }, 0, ""],
    [{ HTTP_PROXY: away, ...here }, 2, refused],
    [{ HTTP_PROXY: "proxy:3128", ...here }, 1, noAddress],
    [{ HTTP_PROXY: "http://proxy:99999", ...here }, 1, noAddress],
    [{ HTTP_PROXY: "http://user:%zz@proxy", ...here }, 1, noAddress],
  ] as const) {
    const args = ["iban", commerzbank, "--retries", "0", "--timeout", "60000"];
    const run = runHere(args, { ...environment, ...variables });
    const { stdout, stderr } = await expectEnd(run, code, says);
    assert.match(stdout, code === 0 ? /^The IBAN is valid\./ : /^$/);
    assert.doesNotMatch(stderr, /geheim/);
  }
  const byProxy = { ...environment, http_proxy: address };
  const input = `iban\n${commerzbank}\n${wrong}\n`;
  const file = await checkHere(newFolder(), ["check", "--select", "status"], input, byProxy);
  assert.equal(file.output.toString(), `iban,status\n${commerzbank},1\n${wrong},0\n`, file.stderr);
  const hosts = [...new Set(asked.map((url) => url.replace(/\/v1\/.*/, "")))];
  const expected = ["http://service.invalid", "http://elsewhere.invalid", "CONNECT service.invalid:443"];
  assert.deepEqual(hosts, expected);
  assert.match(asked.at(-1)!, /^http:\/\/service\.invalid\/v1\/stream/, "the file as well");
  await closed(proxy);
});

test("with --json every line of standard error is JSON, what is waited for too", async () => {
  const elsewhere = { BANKCHECK_URL: "http://127.0.0.1:1", BANKCHECK_KEY: testKey };
  const { result } = startCommand(["search", "x", "--json", "--retries", "1"], elsewhere);
  const { stderr } = await expectEnd(result, 2);
  const kinds = jsonLines<object>(stderr).flatMap((line) => Object.keys(line));
  assert.deepEqual(kinds, ["note", "error"]);
});
