import assert from "node:assert/strict";
import { test } from "node:test";
import { newFolder } from "../../support/folders.ts";
import { checkHere, runHere } from "../../support/run-here.ts";
import { words } from "../../support/words.ts";
import { expectEnd } from "../expect-end.ts";
import { serviceEnvironment } from "../with-service.ts";

const folder = newFolder();

/** Runs a command with the service and offline; one that has an input gets it as a file. */
async function bothWays([command = "", ...rest]: readonly string[], input?: string, workers = "1") {
  const args = [command, "--timeout", "60000", ...rest];
  const run = async (given: readonly string[], environment: Record<string, string>) =>
    input === undefined
      ? { ...(await runHere(given, environment)), output: undefined }
      : checkHere(folder, given, input, environment);
  return [
    await run(args, await serviceEnvironment()),
    await run([...args, "--offline"], { POOL_SIZE: workers }),
  ] as const;
}

const ibans = Array.from({ length: 3_000 }, (_, number) =>
  number % 5 === 0 ? `"x ${number}""ü"` : `DE${(number % 98) + 2}370400440532013${number % 1_000}`,
);

/** Refused, malformed, of unknown banks, marked for deletion, twice with another account, and too long for one body. */
const oddAccounts = [
  ...words`532013000,37040044 532013001,37040044 532013000,37040044 0,37040044 x,37040044 1,3704004`,
  ...["12345678901,37040044", "1,99999999", "1,00000000", "1,ü", "5,60050101", "66,10020200", "1,10010010"],
  ...Array.from({ length: 480 }, () => `${"日".repeat(120)},${"本".repeat(120)}`),
];

test("offline, a file has the results of the service", async () => {
  const accounts = ibans.map(
    (_, number) => `${(number * 7_919) % 10_000_000},${number % 9 === 0 ? "37040044" : "10010010"}`,
  );
  for (const [args, input] of [
    [["check", "-q"], `iban\n${ibans.join("\n")}\n`],
    [["check", "-q"], `konto,blz\n${[...oddAccounts, ...accounts.slice(0, 1_100)].join("\n")}\n`],
    [["generate", "-q"], `konto,blz\n${oddAccounts.join("\n")}\n${accounts.slice(0, 900).join("\n")}\n`],
    [["check", "-q", "--suggest"], `konto,blz\n${accounts.slice(0, 300).join("\n")}\n`],
  ] as const) {
    // Two workers, whose results are put in order, for the longest.
    const [online, offline] = await bothWays(args, input, input.startsWith("iban") ? "2" : "1");
    assert.equal(online.exit, 0, online.stderr);
    assert.deepEqual(offline, online);
    assert.ok(online.output!.length > 50_000);
  }
});

test("bank data that cannot be loaded, and a setting that cannot be used, are said in one sentence", async () => {
  for (const [environment, says] of [
    [{ DATA_DIR: newFolder() }, /^The bank data of .* cannot be loaded\.\n$/],
    [{ POOL_SIZE: "many" }, /^POOL_SIZE must be[^\n]*\n$/],
  ] as const)
    await expectEnd(runHere(["iban", "x", "--offline"], environment), 1, says);
});
