import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import fc from "fast-check";
import { boundsOf, flagOf, readSettings, SettingError, variableOf } from "../src/settings.ts";
import { type SettingName, type SettingRow, settingsTable } from "../src/settings-table.ts";
import { words } from "./support/words.ts";

const rows = Object.entries<SettingRow>(settingsTable) as [SettingName, SettingRow][];
const key = "k".repeat(16);

test("with nothing given every setting has the default that its page shows, those of the pool follow the cores", () => {
  const size = Math.min(64, availableParallelism());
  const settings = readSettings();
  const { poolSize, poolQueue, streams, checkHardLimit } = settings;
  const ofPool = [size, Math.min(4_096, 512 * size), 8 * size];
  assert.deepEqual([poolSize, poolQueue, streams, checkHardLimit], [...ofPool, 30_000]);
  for (const [name, { fallback }] of rows)
    if (typeof fallback !== "function") assert.equal(String(settings[name]), String(fallback), name);
});

test("the queue follows the pool unless it is given itself", () => {
  assert.equal(readSettings([], { POOL_SIZE: "3" }).poolQueue, 1_536);
  assert.equal(readSettings(["--pool-size", "64"]).poolQueue, 4_096);
  assert.equal(readSettings(["--pool-size", "3", "--pool-queue", "0"]).poolQueue, 0);
  assert.equal(readSettings([], { CHECK_TIMEOUT: "500" }).checkHardLimit, 1_500);
});

test("CHECK_HARD_LIMIT must exceed CHECK_TIMEOUT", () => {
  const given = { CHECK_TIMEOUT: "500", CHECK_HARD_LIMIT: "501" };
  assert.equal(readSettings([], given).checkHardLimit, 501);
  assert.throws(() => readSettings(["--check-hard-limit=500"], given), {
    name: "SettingError",
    message: "CHECK_HARD_LIMIT must exceed CHECK_TIMEOUT (500 ms), but is 500 ms.",
  });
});

test("a flag wins over the environment, the environment over the default, and what is empty counts as absent", () => {
  for (const [args, environment, port] of [
    [["--port", "1"], { PORT: "2" }, 1],
    [["--port=1"], { PORT: "2" }, 1],
    [["--port="], { PORT: "2" }, 2],
    [[], { PORT: "2" }, 2],
    [[], { PORT: "" }, 8080],
    [[], { PORT: undefined, OTHER: "x" }, 8080],
  ] as const)
    assert.equal(readSettings(args, environment).port, port, `${args} ${JSON.stringify(environment)}`);
});

for (const [name, row] of rows) {
  const { kind } = row;
  if ("form" in kind) continue;
  const variable = variableOf(name);

  test(`${variable} takes its bounds and refuses what lies beyond them`, () => {
    // CHECK_HARD_LIMIT must exceed it.
    const short = { CHECK_TIMEOUT: "100" };
    for (const value of [kind.min, kind.max]) {
      assert.equal(readSettings([], { ...short, [variable]: String(value) })[name], value);
      assert.equal(readSettings([`--${flagOf(name)}=${value}`], short)[name], value);
    }
    const beyond = [kind.min - 1, kind.max + 1, " 1", "1 ", ...words`1.5 1e1 x - 0x1 ٣`, "9".repeat(30)];
    for (const value of beyond) {
      const expected = `${variable} must be ${boundsOf(row)}, but is ${JSON.stringify(String(value))}.`;
      const refused = { name: "SettingError", message: expected };
      assert.throws(() => readSettings([], { [variable]: String(value) }), refused);
      assert.throws(() => readSettings([`--${flagOf(name)}=${value}`]), refused);
    }
    assert.ok(boundsOf(row).includes(`${kind.min} to ${kind.max}`));
  });
}

test("every setting has its own flag, a sentence, and a default within its bounds", () => {
  const flags = rows.map(([name]) => flagOf(name));
  assert.equal(new Set(flags).size, rows.length);
  for (const [name, row] of rows) {
    assert.match(flagOf(name), /^[a-z]+(-[a-z]+)*$/);
    assert.equal(variableOf(name), flagOf(name).toUpperCase().replaceAll("-", "_"));
    assert.match(row.sentence, /^[A-Z].*\.$/);
    assert.equal(typeof row.fallback === "string" || row.defaultText !== undefined, true, name);
  }
});

/** What settings that are texts take and refuse. */
const texts: Readonly<
  Partial<Record<SettingName, Readonly<Record<"taken" | "refused", readonly string[]>>>>
> = {
  observeAccounts: {
    taken: ["", "GB", "DE", "GB,DE", "DE,GB"],
    refused: ["gb", "FR", "GB,", "GB,GB", "GB DE", "none"],
  },
  apiKeys: {
    taken: [`a:${key}`, `a:${key},b:${key}x`, `name.of-some_body:${key}/+=`],
    refused: [
      ...[key, `:${key}`, "a:", `a:${key.slice(1)}`, `a:${key},`],
      ...[`a:${key},b`, `a:${key} `, `a b:${key}`, `a:b:${key}`],
    ],
  },
  allowFrom: {
    taken: ["10.0.0.0/8", "10.0.0.1,::1,2001:db8::/32"],
    refused: ["localhost", "10.0.0.0/", "10.0.0.0/8,", "10.0.0.0/8 ::1"],
  },
  host: {
    taken: ["localhost", "0.0.0.0", "::", "::1", "a-b.example"],
    refused: [
      ...["http://x", "a b", "[::1]", "x/y"],
      ...["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"],
    ],
  },
};

for (const [name, { taken, refused }] of Object.entries(texts)) {
  const variable = variableOf(name);
  const read = (value: string) => readSettings([], { [variable]: value })[name as SettingName];

  test(`${variable} takes what is written as it must be, and refuses the rest without repeating a key`, () => {
    for (const value of taken) {
      assert.equal(read(value), value);
      const byFlag = readSettings([`--${flagOf(name)}=${value}`])[name as SettingName];
      assert.ok(byFlag === value || value === "");
    }
    for (const value of refused)
      assert.throws(
        () => read(value),
        (error: Error) =>
          error instanceof SettingError &&
          error.message.startsWith(`${variable} must be `) &&
          !error.message.includes(key.slice(1)),
        value,
      );
  });
}

test("unknown flags, flags without a value and words are refused with one sentence that points to --help", () => {
  for (const written of ["--nothing", "--nothing=1", "--port", "-p 1", "start", "-- x", "--no-port"]) {
    const args = written.split(" ");
    const refused = { name: "SettingError", message: /^[^\n]+\(see --help\)\.$/ };
    assert.throws(() => readSettings(args), refused, written);
  }
});

test("any input results in settings within their bounds or a SettingError of one line", () => {
  const environment = fc.dictionary(
    fc.constantFrom(...rows.map(([name]) => variableOf(name))),
    fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom("", "0", "::1", `a:${key}`)),
  );
  fc.assert(
    fc.property(environment, fc.array(fc.string(), { maxLength: 3 }), (given, args) => {
      try {
        const settings = readSettings(args, given);
        for (const [name, { kind }] of rows) {
          const value = settings[name];
          if ("min" in kind) assert.ok(Number(value) >= kind.min && Number(value) <= kind.max);
          else assert.equal(typeof value, "string");
        }
      } catch (error) {
        assert.ok(error instanceof SettingError, String(error));
      }
    }),
  );
});
