import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { BankDirectory } from "../../../src/banks/directory/directory.ts";
import { TEMPLATE_ROOM_BYTES } from "../../../src/kernel/table-layout.ts";
import { jsonForm } from "../../../src/pool/stream/answer-forms.ts";
import { type BlockWorker, numberAnswers } from "../../../src/pool/stream/number-answers.ts";
import { loadShippedDirectory } from "../../support/shipped-directory.ts";
import { Blocks, lineOptions, questionOf } from "../../support/stream-blocks.ts";

/** Different verdicts on `bankcheck sample -n 1000000`, of 90 countries in turn. */
const verdictsOfMixedMillion = 21_891;

const data = await loadShippedDirectory();
const iban = "DE89370400440532013000";
let blocks: Blocks;
beforeEach(() => {
  blocks = new Blocks(data);
});

function answersOf(field: string | undefined, more: Partial<BlockWorker> = {}) {
  const worker = { ...blocks.worker, ...more };
  return numberAnswers(worker, lineOptions, jsonForm(field?.split(" "), lineOptions));
}

/** The template of the answer to a bank's numbers. */
const askedOf = (answers: ReturnType<typeof answersOf>, bank: number, numberOf = () => iban) =>
  answers.templateOf({ finding: 0, bank }, iban.length, numberOf);

test("the answers to a million numbers of 90 countries stay known, with all of their fields", () => {
  for (let bank = 0; bank < verdictsOfMixedMillion; bank++)
    assert.ok(askedOf(answersOf(undefined), bank) > 0);
  for (let bank = 0; bank < verdictsOfMixedMillion; bank++)
    askedOf(answersOf(undefined), bank, () => assert.fail(`bank ${bank} is forgotten`));
});

test("the answers of all forms and editions together stay within their room, however the streams take turns", () => {
  const { templates, directory } = blocks.worker;
  const editions = [directory, new BankDirectory(data)];
  let isForgotten = false;
  for (let bank = 0; !isForgotten; bank++) {
    const before = templates.size;
    for (const edition of editions) {
      for (const field of ["status", "iban", "bic"]) {
        const template = askedOf(answersOf(field, { directory: edition }), bank);
        assert.ok(template >= templates.room && template < templates.room + TEMPLATE_ROOM_BYTES);
      }
    }
    isForgotten = templates.size < before;
  }
});

test("a number is answered without a template where a block has taken all the room", () => {
  const { templates } = blocks.worker;
  const answers = answersOf(undefined);
  let bank = 0;
  while (askedOf(answers, bank) > 0) bank++;
  assert.ok(bank > verdictsOfMixedMillion);
  const number = askedOf(answers, 0, () => assert.fail("it is forgotten in the same block"));
  assert.deepEqual(templates.outcomeOf(number), { valid: true, reason: "" });
  // The next block finds room again.
  const body = Buffer.from(`${iban}\n`);
  const { bytes } = blocks.answer(body, questionOf({ input: "text", output: "ndjson" }));
  assert.match(bytes.toString(), /"iban":"DE89370400440532013000","valid":true/);
  assert.equal(templates.size, 1);
});

test("a thread that takes the place of another finds its room empty", () => {
  const of = (more?: Partial<BlockWorker>, numberOf?: () => string) =>
    askedOf(answersOf("status", more), 1, numberOf);
  of();
  of({}, () => assert.fail("it is known"));
  const { templates } = blocks.again();
  assert.equal(templates.size, 0);
  assert.throws(() => of({ templates }, () => assert.fail("it is not known")));
});
