import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { testKey } from "../../service.ts";
import { namesIn, newFile, newFolder } from "../../support/folders.ts";
import { listen } from "../../support/listen.ts";
import { startCommand } from "../../support/start-command.ts";
import { expectEnd } from "../expect-end.ts";
import { bankcheck, commerzbank, runOver, serviceEnvironment, wrong } from "../with-service.ts";

const folder = newFolder();
const list = newFile(folder, `${commerzbank}\n`);

const added = "status,valid,message,bic,bank,zip,location,country,sct,sdd,b2b,scc,error";
const right = ",1,true,The IBAN is valid.,COBADEFFXXX,Commerzbank,50447,Köln,DE,1,1,1,1,";
const wrongDigits = ",0,false,The IBAN is not valid: its check digits are wrong.,,,,,DE,0,0,0,0,";
const noIban =
  ',3,false,"The IBAN is too short, does not begin with two letters, or contains characters other than letters and digits.",,,,,,0,0,0,0,invalid_iban';

/** Returns the output of `check` for an input, with the columns named above. */
async function checked(input: string): Promise<string> {
  const { output } = await expectEnd(runOver(input, "check", "--quiet", "--select", added), 0, /^$/);
  return output.toString();
}

test("CSV comes out with its rows unchanged and the columns added", async () => {
  const input = `name,iban\n"Meyer, ""Anna""",${commerzbank}\nÖzgür,  ${wrong} \n"two\nlines",x\n`;
  const output = [
    `name,iban,${added}`,
    `"Meyer, ""Anna""",${commerzbank}${right}`,
    `Özgür,  ${wrong} ${wrongDigits}`,
    `"two\nlines",x${noIban}`,
    "",
  ].join("\n");
  assert.equal(await checked(input), output);
});

test("account numbers with their bank codes, and the IBANs generated of them", async () => {
  const input = "Konto;BLZ\n532013000;37040044\n1;370 400 44\n0;37040044\n5;999\n";
  const rows = (await checked(input)).split("\n");
  assert.match(rows[1] ?? "", /^532013000;37040044;1;true;.*;COBADEFFXXX;Commerzbank;50447;Köln;DE;;;;;$/);
  assert.match(rows[2] ?? "", /^1;370 400 44;1;true;/);
  assert.match(rows[3] ?? "", /^0;37040044;;false;.*;invalid_kontonummer$/);
  assert.match(rows[4] ?? "", /^5;999;2;false;/);
  const { output } = await runOver(input, "generate", "--quiet", "--select", `iban,${added}`);
  const generated = output.toString().split("\n");
  assert.match(generated[0] ?? "", /^Konto;BLZ;iban;status;/);
  assert.match(generated[1] ?? "", new RegExp(`^532013000;37040044;${commerzbank};1;true;.*;1;1;1;1;$`));
  assert.match(generated[4] ?? "", /^5;999;;2;false;/);
});

test("fields far too long for an IBAN get the same result as any other that is not one", async () => {
  const long = `"${"\u0001€\u00fc".repeat(40_000)}"`;
  const input = `iban,n\n${commerzbank},0\n${`${long.slice(0, 3_000)}",1\n`.repeat(600)}${"X".repeat(200_000)},2\n`;
  const rows = (await checked(input)).split("\n");
  assert.equal(rows.length, 604);
  assert.ok(rows[600]?.endsWith(`,1${noIban}`));
});

test("files that cannot be used are refused in one sentence with exit code 1", async () => {
  for (const [args, reason] of [
    [["check", newFile(folder, "PK\u0003\u0004 and no more")], /^The XLSX file is damaged: [^\n]*[^.]\.\n$/],
    [["check", newFile(folder, Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]))], /in the old Excel format/],
    [["check", newFile(folder, '["x"] "y"')], /^Something follows the end of the JSON array/],
    [["check", list, "-o", ""], /^--output needs the name of a file\.\n$/],
    [["generate", list], /name both columns/],
    [["check", list, "--delimiter", "ab"], /one character/],
    [["check", list, "--concurrency", "0"], /from 1 to 64/],
    [["check", list, "--select", ""], /^error: [^\n]*names separated by commas, as in status,reason\.\n$/],
    [["check", list, "--select", "suggestion"], /^--select suggestion needs --suggest\.\n$/],
    [["check", join(folder, "absent\u001b[2J.csv")], /^The file .*absent\ufffd\[2J\.csv does not exist\.\n$/],
    [["check", folder], /cannot be read/],
  ] as const)
    await expectEnd(bankcheck(args), 1, reason);
  const piped = startCommand(["check", "-", "--resume"], await serviceEnvironment(), `${commerzbank}\n`);
  await expectEnd(piped.result, 1, /can be continued/);
});

test("an output that is there is replaced only by --force", async () => {
  const output = join(folder, "there.csv");
  writeFileSync(output, "precious");
  for (const args of [[], ["--resume"]]) {
    const refused = bankcheck(["check", list, "-o", output, ...args]);
    await expectEnd(refused, 1, /already exists; --force replaces it/);
    assert.equal(readFileSync(output, "utf8"), "precious");
  }
  await expectEnd(bankcheck(["check", list, "-o", output, "--force"]), 0);
  assert.match(readFileSync(output, "utf8"), new RegExp(`^${commerzbank}${right}`));
  assert.deepEqual(namesIn(folder, "there.csv"), ["there.csv"]);
});

test("the summary is for people, with how often each reason occurred, or JSON beside or instead of the rows", async () => {
  const input = newFile(folder, `${commerzbank}\n${wrong}\n`);
  const output = join(folder, "summary.csv");
  const { stderr, stdout } = await bankcheck(["check", input, "-o", output]);
  assert.equal(stdout.length, 0);
  assert.match(stderr, /^Checked 2 rows in \d+\.\d s: Valid 1 · Not valid 1\n +1 {2}\w+\n$/);
  const json = await bankcheck(["check", input, "-o", output, "--force", "--json"]);
  const { rows, valid, invalid, rows_before } = JSON.parse(json.stdout) as Record<string, number>;
  assert.deepEqual([rows, valid, invalid, rows_before], [2, 1, 1, 0]);
  assert.equal(json.stderr, "");
  const pair = newFile(folder, `iban;bic\n${commerzbank};DEUTDEFF\n`);
  const other = await bankcheck(["check", pair, "-o", output, "--force", "--bic-column", "bic"]);
  assert.match(other.stderr, /Valid 0 · Valid, but … 1 · Not valid 0\n +1 {2}bic_mismatch\n$/);
  for (const args of [[], ["-o", "/dev/stdout"]]) {
    const own = await serviceEnvironment();
    const both = await startCommand(["check", input, "--json", ...args], own).result;
    assert.match(both.stdout.toString(), /^(DE8.+\n){2}$/);
    assert.equal((JSON.parse(both.stderr) as { rows: number }).rows, 2);
  }
});

test("what the service refuses ends with exit code 3, what cannot be reached with 2, a missing key with 1", async () => {
  const check = ["check", list, "-o", join(folder, "ends.csv"), "--force"];
  const other = createServer((_request, response) => response.end("<html>"));
  const elsewhere = `http://127.0.0.1:${await listen(other)}`;
  for (const [more, args, code, says] of [
    [{ BANKCHECK_KEY: "wrong" }, [], 3, /\(invalid_key\)/],
    [{ BANKCHECK_URL: elsewhere }, [], 3, /not from this service.*\(invalid_answer\)/],
    [{ BANKCHECK_URL: "http://127.0.0.1:1" }, ["--retries", "0"], 2, /cannot be reached.*\(unreachable\)/],
    [{}, ["--url", "nowhere"], 1, /^--url must be an address/],
    [{ BANKCHECK_KEY: "" }, [], 1, /^No API key: set BANKCHECK_KEY/],
    [{}, ["--key-file", "/nowhere"], 1, /^\/nowhere does not exist\.\n$/],
    [
      {},
      ["--key-file", newFile(folder, "\n")],
      1,
      /^The key file \S+ is empty; it must contain the API key\.\n$/,
    ],
    [{ BANKCHECK_KEY: "" }, ["--key-file", newFile(folder, `${testKey}\n`)], 0, /^Checked 1 row /],
  ] as const)
    await expectEnd(bankcheck([...check, ...args], more), code, says);
  other.close();
});
