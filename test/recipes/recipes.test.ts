import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { errorBody } from "../../src/contract/errors.ts";
import { testKey, useSharedService } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { closed, listen } from "../support/listen.ts";
import { pluck } from "../support/pluck.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const iban = "DE89370400440532013000";

const files = newFolder();

/** For programs that end within a second. */
const quickJava = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const classes = join(files, "java");
const jar = join(files, "java.jar");
const compileJava = `javac ${quickJava.map((flag) => `-J${flag}`).join(" ")} -proc:none -d ${classes} Check.java && \
  jar ${quickJava.map((flag) => `-J${flag}`).join(" ")} -cf ${jar} -C ${classes} .`;
/** Without arguments the recipe fails; by then it has loaded its client. */
const archiveJava = `java ${quickJava.join(" ")} -XX:ArchiveClassesAtExit=${join(files, "java.jsa")} -cp ${jar} Check`;

/** The recipes: how each is run as its own comment says, how it is run again, and what says whether its runtime is here. */
const recipes: readonly {
  readonly name: string;
  readonly run: readonly string[];
  readonly again?: readonly string[];
  readonly runtime: readonly string[];
}[] = [
  { name: "curl", run: ["sh", "check.sh"], runtime: ["curl", "--version"] },
  { name: "Python", run: ["python3", "check.py"], runtime: ["python3", "--version"] },
  {
    name: "PHP",
    run: ["php", "check.php"],
    runtime: ["php", "-r", "exit(extension_loaded('curl') ? 0 : 1);"],
  },
  {
    name: "Java",
    run: ["java", ...quickJava, "Check.java"],
    // Compiling it and loading the classes of its client takes longer than all the rest.
    again: ["java", ...quickJava, `-XX:SharedArchiveFile=${join(files, "java.jsa")}`, "-cp", jar, "Check"],
    runtime: ["sh", "-c", `${compileJava} && { ${archiveJava} >&2 || true; }`],
  },
  { name: "Node", run: ["node", "check.mjs"], runtime: ["node", "--version"] },
];

/** Java reads names of files by the locale, and the folder's name may have any characters. */
const localEnv = { ...process.env, LC_ALL: "C.UTF-8" };

function isHere([command, ...args]: readonly string[]): boolean {
  return spawnSync(command!, args, { cwd: folder, env: localEnv, stdio: "ignore" }).status === 0;
}

const running = new Set<ChildProcess>();

async function runRecipe(run: readonly string[], url: string, args: readonly string[]) {
  const [command, ...first] = run;
  const env = { ...localEnv, BANKCHECK_URL: url, BANKCHECK_KEY: testKey };
  const child = spawn(command!, [...first, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const closed = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  running.delete(child);
  return { exit, stdout, stderr };
}

/** Ten lines; the recipes see them in pieces of the answer of `badService`. */
const tenLines = Array.from({ length: 10 }, (_, index) => `LINE${index + 1}`);

/** Answers a request for a stream with its body. */
type Answer = (body: string, response: ServerResponse) => void;

/** Sends a text that is cut off. */
function cutAfter(text: string, response: ServerResponse): void {
  response.write(text);
  setTimeout(() => response.destroy(), 50);
}

/** A service at its worst: busy, cut off in the middle of a line, stopping, and at last well. */
function badService(): Answer {
  let requests = 0;
  return (body, response) => {
    const lines = body.split("\n").filter((line) => line !== "");
    const entries = (count: number) =>
      lines.slice(0, count).map((iban, index) => `{"line":${index + 1},"iban":"${iban}"}\n`);
    if (++requests === 1) {
      response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "1" });
      response.end(JSON.stringify(errorBody("server_busy")));
      return;
    }
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    // Cut within the fourth line, after something that looks like its end.
    if (requests === 2) cutAfter(`${entries(3).join("")}{"line":4,"data":{}`, response);
    // Stopping, with the spaces that may come before a line.
    else if (requests === 3)
      response.end(`${entries(4).join("    ")}{"summary":{"lines":4,"next_line":5}}\n`);
    else response.end(`${entries(10).join("")}{"summary":{"lines":${lines.length}}}\n`);
  };
}

/** Rows of CSV, two of which go over two lines, and one with a quote within a field; Excel's hint comes first. */
const beforeHeader = "\ufeffsep=,\n\n";
const csvHeader = `"na\nme",iban`;
const csvRows = ['5" disk,LINE2', `"b\nc",LINE4`, `"d ""q""\ne",LINE6`, "f,LINE7"];

/** A service that is cut off within a quoted field, and then is well. */
function cutService(): Answer {
  let requests = 0;
  return (body, response) => {
    const rows = csvRows.filter((row) => body.includes(row)).map((row) => `${row},1\n`);
    const before = body.startsWith(beforeHeader) ? beforeHeader : "";
    const answer = `${before}${csvHeader},status\n${rows.join("")}# {"summary":{"lines":${rows.length}}}\n`;
    response.writeHead(200, { "Content-Type": "text/csv", "Retry-After": "1" });
    if (++requests > 1) response.end(answer);
    else cutAfter(answer.slice(0, answer.indexOf('e",LINE6')), response);
  };
}

/** Runs a recipe over a service that is played here; returns its end, its output and the requests. */
async function runOver(answer: Answer, run: readonly string[], input: string, output: string) {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    seen.push(`${request.url} ${request.headers["content-type"]} ${body}`);
    answer(body, response);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const { exit, stderr } = await runRecipe(run, url, ["stream", join(files, input), join(files, output)]);
  await closed(server);
  assert.equal(exit, 0, stderr);
  return { stderr, seen };
}

// Of the long file the recipe for requests sends four pieces, of 5,000 lines each, and of the IBANs that for Java more than two.
const [repeats, ibanRepeats] = [5_000, 4_000];
for (const [name, content] of Object.entries({
  "ten.txt": `${tenLines.join("\n")}\n`,
  // A name as some systems write it.
  "ROWS.CSV": `${beforeHeader}${[csvHeader, ...csvRows].join("\n")}\n`,
  "accounts.csv": `name;konto;blz\n"Meyer;\nSöhne";532013000;37040044\nb;1;99999999\n`,
  "batch.txt": `\ufeff${iban}\r\nGB29NWBK60161331926819\r\n\r\nDE88370400440532013000\r\n`,
  "ibans.ndjson": `"${iban}"\n"${iban}"\n\n"DE00"\n`.repeat(ibanRepeats),
  "long.txt": `${iban}\nDE00\n\n${iban}\r\n${iban}\n`.repeat(repeats),
}))
  writeFileSync(join(files, name), content);

const service = useSharedService();
after(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Bodies that a program which reads and writes their text would change; a row of the first is Latin-1. */
const sameBytes: readonly (readonly [kind: string, query: string, body: Buffer])[] = [
  [
    "csv",
    "?header=1",
    Buffer.concat([
      Buffer.from(`\ufeffname;iban\r\n"Söhne;\r\nMeyer";${iban}\r\n\r\n"a ""b""\u2028";DE00\r\n`),
      Buffer.from(`Jürgen;${iban}`, "latin1"),
    ]),
  ],
  ["ndjson", "", Buffer.from(`{"iban":"${iban}","id":12345678901234567890}\n"\\ud800é\u2028"\n\n"DE00"`)],
];

const unusable: readonly (readonly [what: string, body: Buffer | undefined, sentence: RegExp])[] = [
  ["missing", undefined, /^[^\n]*missing\.txt[^\n]*\n$/],
  ["cr", Buffer.from(`${iban}\r${iban}\r`), /^The lines of .* end with CR alone: convert them to LF\.\n$/],
  ["utf16", Buffer.from(`\ufeff${iban}\n${iban}\n`, "utf16le"), /it must be UTF-8/],
];

/** Runs a recipe over the shared service, which must end well. */
async function succeed(run: readonly string[], ...args: readonly string[]) {
  const { exit, stdout, stderr } = await runRecipe(run, service.url, args);
  assert.equal(exit, 0, stderr);
  return { stdout, stderr };
}

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { line: number; iban: string; valid?: boolean });

// They wait for most of their time.
describe("recipes", { concurrency: 5 }, () => {
  const hasRequests = isHere(["python3", "-c", "import requests"]);
  test("requests, which sends its whole body first, checks a long file in pieces", {
    skip: hasRequests ? false : "Python's requests is not installed",
  }, async () => {
    const { stdout } = await succeed(["python3", "pieces.py"], join(files, "long.txt"));
    assert.ok(stdout === `${iban},1,\nDE00,3,not_an_iban\n${iban},1,\n${iban},1,\n`.repeat(repeats));
  });

  for (const { name, run, again = run, runtime } of recipes) {
    const skip = isHere(runtime) ? false : `${name} is not installed`;
    const recipe = (promise: string, run: () => Promise<void>) =>
      void test(`the recipe for ${name} ${promise}`, { skip }, run);

    recipe("checks one IBAN, one account, a batch, and files in a stream", async () => {
      const single = await succeed(run, "iban", iban, "COBADEFF");
      assert.equal((JSON.parse(single.stdout) as { status: number }).status, 1);
      const batch = await succeed(again, "batch", join(files, "batch.txt"));
      const { results } = (JSON.parse(batch.stdout) as { batch: { results: { valid: boolean }[] } }).batch;
      assert.deepEqual(pluck(results, "valid"), [true, true, false]);
      const account = await succeed(again, "account", "532013000", "37040044");
      assert.equal((JSON.parse(account.stdout) as { data: { iban: string } }).data.iban, iban);
      const rows = join(files, `${name}.csv`);
      await succeed(again, "stream", join(files, "accounts.csv"), rows);
      const table =
        /^name;konto;blz;status;.*\n"Meyer;\nSöhne";532013000;37040044;1;.*\nb;1;99999999;7;.*\n$/;
      assert.match(readFileSync(rows, "utf8"), table);
      const output = join(files, `${name}.ndjson`);
      assert.equal((await succeed(again, "stream", join(files, "ibans.ndjson"), output)).stderr, "");
      const checked = linesOf(output);
      const lines = Array.from({ length: 4 * ibanRepeats }, (_, index) => index + 1);
      const notEmpty = lines.filter((line) => line % 4 !== 3);
      assert.deepEqual(pluck(checked, "line"), notEmpty);
      assert.equal(checked.filter(({ valid }) => valid).length, 2 * ibanRepeats);
    });

    recipe("leaves every byte of a file as it is, and says what it cannot take", async () => {
      for (const [kind, query, body] of sameBytes) {
        const input = join(files, `${name}-same.${kind}`);
        const output = join(files, `${name}-same-checked.${kind}`);
        writeFileSync(input, body);
        await succeed(again, "stream", input, output);
        const type = kind === "csv" ? "text/csv" : "application/x-ndjson";
        const answer = await service.post(`/v1/stream${query}`, body, { "Content-Type": type });
        const all = Buffer.from(await answer.arrayBuffer());
        const rows = all.subarray(0, all.lastIndexOf(kind === "csv" ? "# {" : '{"summary"'));
        assert.equal(readFileSync(output).toString("latin1"), rows.toString("latin1"));
      }
      for (const [what, body, sentence] of unusable) {
        const input = join(files, `${name}-${what}.txt`);
        if (body !== undefined) writeFileSync(input, body);
        const output = join(files, `${name}-${what}.ndjson`);
        const args = body === undefined ? ["batch", input] : ["stream", input, output];
        const { exit, stderr } = await runRecipe(again, service.url, args);
        assert.notEqual(exit, 0, what);
        assert.match(stderr, sentence);
        assert.ok(!existsSync(output), "an output that looks whole");
      }
    });

    recipe("waits for a busy service and continues after a cut and after a stop", async () => {
      const output = `${name}-ten.ndjson`;
      const { stderr, seen } = await runOver(badService(), again, "ten.txt", output);
      assert.deepEqual(
        seen.map((request) => request.split("\n")[0]),
        ["LINE1", "LINE1", "LINE4", "LINE8"].map((line) => `/v1/stream text/plain ${line}`),
        stderr,
      );
      assert.deepEqual(
        linesOf(join(files, output)).map(({ line, iban: text }) => `${line} ${text}`),
        tenLines.map((text, index) => `${index + 1} ${text}`),
      );
      assert.match(
        stderr,
        /ended after line 0; going on in 1 s[\s\S]*after line 3; .*in 2 s[\s\S]*after line 7; /,
      );
    });

    recipe("repeats the header of CSV after a cut within a row", async () => {
      const output = `${name}-rows.csv`;
      const { seen } = await runOver(cutService(), again, "ROWS.CSV", output);
      const sent = (before: string, rows: readonly string[]) =>
        `/v1/stream?header=1 text/csv ${before}${[csvHeader, ...rows].join("\n")}\n`;
      assert.deepEqual(seen, [sent(beforeHeader, csvRows), sent("", csvRows.slice(2))]);
      const answered = [`${csvHeader},status`, ...csvRows.map((row) => `${row},1`)];
      assert.equal(readFileSync(join(files, output), "utf8"), `${beforeHeader}${answered.join("\n")}\n`);
    });

    recipe("ends at once with what the service says of a wrong key", async () => {
      const wrong = ["sh", "-c", 'BANKCHECK_KEY=wrong exec "$@"', "sh", ...again];
      for (const args of [
        ["iban", iban],
        ["stream", join(files, "ten.txt"), join(files, "none.ndjson")],
      ]) {
        const { exit, stdout, stderr } = await runRecipe(wrong, service.url, args);
        assert.notEqual(exit, 0);
        assert.match(stdout + stderr, /invalid_key/);
        assert.ok(!existsSync(join(files, "none.ndjson")), "a part that looks whole");
      }
    });
  }
});
