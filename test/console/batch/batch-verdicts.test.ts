import assert from "node:assert/strict";
import { before, test } from "node:test";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import type { IbanBatchAnswer } from "../../../src/client/api-types.ts";
import { BatchVerdicts } from "../../../src/console/batch/batch-verdicts.ts";
import { type Verdict, verdictOfEntry } from "../../../src/rows/verdict.ts";
import { dataFolder } from "../../banks/shipped.ts";
import { RandomIbans } from "../../kernel/random-ibans.ts";
import { type RunningService, sharedService } from "../../service.ts";
import { seededRandom } from "../../support/iban-mix.ts";
import { loadShippedDirectory } from "../../support/shipped-directory.ts";

let service: RunningService;
let ibans: RandomIbans;
before(async () => {
  service = await sharedService();
  ibans = new RandomIbans(new BankDirectory(await loadShippedDirectory(dataFolder)), 8);
});

async function answerTo(batch: readonly string[]): Promise<string> {
  const answer = await service.post("/v1/iban", { ibans: batch });
  assert.equal(answer.status, 200);
  return answer.text();
}

const parsed = (text: string) => (JSON.parse(text) as IbanBatchAnswer).batch.results.map(verdictOfEntry);

/** The result of reading; undefined if it throws. */
function outcome(read: (text: string) => Verdict[], text: string): Verdict[] | undefined {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

test("the verdicts on 30,000 random strings are those of parsing the answers", async () => {
  const verdicts = new BatchVerdicts();
  const distinct = new Set<Verdict>();
  for (let batch = 0; batch < 60; batch++) {
    const text = await answerTo(Array.from({ length: 500 }, () => ibans.next()));
    const read = verdicts.read(text);
    assert.deepEqual(read, parsed(text));
    for (const verdict of read) distinct.add(verdict);
  }
  assert.ok(distinct.size < 20_000, `most entries share a verdict: ${distinct.size}`);
});

test("strings with quotes, escapes and characters beyond ASCII do not mislead", async () => {
  const odd = ['"', "\\", '\\"', '},{"iban":"', '"kto":"', '{"iban":', "]", "Ä€😀", "\u0000", "", "DE\\"];
  const text = await answerTo(odd.flatMap((part) => [part, `DE89${part}`, `${part}DE89370400440532013000`]));
  const verdicts = new BatchVerdicts();
  for (let round = 0; round < 2; round++) assert.deepEqual(verdicts.read(text), parsed(text));
});

test("an answer that is written in another way, or damaged, is read as any JSON or refused like it", async () => {
  const verdicts = new BatchVerdicts();
  const batch = [
    "DE89370400440532013000",
    "xx",
    "NL28MODR0372870170",
    ...Array.from({ length: 9 }, () => ibans.next()),
  ];
  const text = await answerTo(batch);
  verdicts.read(text);
  const answer = JSON.parse(text) as IbanBatchAnswer;
  const [first, ...others] = answer.batch.results;
  const written = [
    JSON.stringify(answer, null, 2),
    JSON.stringify({ batch: { results: [], total: 0 } }),
    JSON.stringify({ ...answer, batch: { results: others, notes: [1], total: 11 } }),
    JSON.stringify({ ...answer, batch: { total: 12, results: [...others, { ...first, iban: null }] } }),
    JSON.stringify({ ...answer, batch: { total: 12, results: [{ status: 1, ...first }, ...others] } }),
    JSON.stringify({ ...answer, batch: { total: 12, results: [{ ...first, data: undefined }, ...others] } }),
    JSON.stringify({ ...answer, results: [], batch: [] }),
    "",
    "[]",
    "null",
    text.slice(0, -1),
    text.replace('},{"iban":"', '},{"iban":"DE\\u0022'),
    text.replaceAll("Commerzbank", '\\"},{\\"iban\\":\\"'),
  ];
  for (const one of written) {
    const read = outcome((it) => verdicts.read(it), one);
    assert.deepEqual(read, outcome(parsed, one), one.slice(0, 300));
  }
  const random = seededRandom(3);
  const below = (limit: number) => Math.floor(random() * limit);
  const characters = '"\\{}[],: aDkto019';
  for (let mutation = 0; mutation < 20_000; mutation++) {
    const at = below(text.length);
    const insert = characters.slice(below(characters.length)).slice(0, below(3));
    const mutated = text.slice(0, at) + insert + text.slice(at + below(3));
    const read = outcome((it) => verdicts.read(it), mutated);
    assert.deepEqual(read, outcome(parsed, mutated), mutated.slice(Math.max(0, at - 100), at + 100));
  }
});
