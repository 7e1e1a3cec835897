import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, gunzipSync } from "node:zlib";
import type { StreamQuestion } from "../../../src/pool/stream/stream-task.ts";
import { PlayedStream } from "../../support/played-stream.ts";
import { pluck } from "../../support/pluck.ts";
import { randomOf } from "../../support/random.ts";
import { questionOf } from "../../support/stream-blocks.ts";

const random = randomOf(20_261_126);
const iban = "DE89370400440532013000";
const rounds = 8;
const lines = 6_000;

/** A body whose answer is known: what comes before its lines, and its lines with the checks that each counts as. */
interface Played {
  readonly question: StreamQuestion;
  readonly head: string;
  readonly answerHead: string;
  lineOf(row: number): { readonly line: string; readonly answer: string; readonly checks: number };
}

const status = { fields: ["status"] };
const csv = (line: string, added = ",1") => ({ line: `${line}\n`, answer: `${line}${added}\n` });

const bodies: Readonly<Record<string, Played>> = {
  text: {
    question: questionOf({ input: "text", output: "ndjson", ...status }),
    head: "",
    answerHead: "",
    lineOf: (row) => ({ line: `${iban}\n`, answer: `{"line":${row + 1},"status":1}\n`, checks: 1 }),
  },
  "CSV with line breaks and quotes in its fields, empty rows and a line before its header": {
    question: questionOf(status),
    head: 'sep=,\niban,"a ""note"""\n',
    answerHead: 'sep=,\niban,"a ""note""",status\n',
    lineOf: (row) =>
      row % 7 === 0
        ? { line: "\n", answer: "\n", checks: 0 }
        : { ...csv(`${iban},${['"a\nb"', 'x"y', '"""\n"""', '""', "plain"][row % 5]}`), checks: 1 },
  },
  "CSV with two columns": {
    question: questionOf({ ...status, columns: { column: ["payer", "payee"] } }),
    head: "payer,payee\n",
    answerHead: "payer,payee,payer_status,payee_status\n",
    lineOf: () => ({ ...csv(`${iban},${iban}`, ",1,1"), checks: 2 }),
  },
  "CSV with two columns, in NDJSON": {
    question: questionOf({ ...status, output: "ndjson", columns: { column: ["payer", "payee"] } }),
    head: "payer,payee\n",
    answerHead: "",
    lineOf: (row) => {
      const of = (column: string) => `{"line":${row + 2},"column":"${column}","status":1}\n`;
      return { line: `${iban},${iban}\n`, answer: of("payer") + of("payee"), checks: 2 };
    },
  },
};

/** How many checks the first `length` bytes of an answer contain. */
function checksWithin(length: number, { answerHead, lineOf }: Played): number {
  let [at, checks] = [answerHead.length, 0];
  for (let row = 0; row < lines; row++) {
    const { answer, checks: own } = lineOf(row);
    // Each number of a row has its own line in NDJSON.
    const parts = answer.startsWith("{") ? answer.split(/(?<=\n)/) : [answer];
    for (const part of parts) {
      at += part.length;
      if (at > length) return checks;
      checks += own / parts.length;
    }
  }
  return checks;
}

for (const [name, body] of Object.entries(bodies)) {
  for (const packs of [false, true]) {
    test(`exactly what was answered counts, wherever a client is killed: ${name}${packs ? ", packed" : ""}`, async () => {
      const rows = Array.from({ length: lines }, (_, row) => body.lineOf(row));
      const text = body.head + pluck(rows, "line").join("");
      const answer = body.answerHead + pluck(rows, "answer").join("");
      let partial = 0;
      // How much of an answer a client has taken by then depends on the machine.
      for (let round = 0; round < rounds || (partial === 0 && round < 10 * rounds); round++) {
        const kept = 1 + random(packs ? 4 : 12);
        const played: PlayedStream = new PlayedStream(body.question, {
          packs,
          takes: () => played.sent.length < kept && random(10) < 8,
        });
        await played.send(Buffer.from(text), { settleMs: 12 });
        played.close();
        const sent = Buffer.concat(played.sent);
        const plain = packs ? gunzipSync(sent, { finishFlush: constants.Z_SYNC_FLUSH }) : sent;
        const expected = checksWithin(plain.length, body);
        assert.equal(played.counted, expected, `${plain.length} bytes`);
        // Not those of a later block, whose memory is the same.
        assert.equal(plain.toString("utf8", 0, answer.length), answer.slice(0, plain.length));
        if (expected > 0 && expected < lines) partial++;
      }
      assert.ok(partial > 0, "no stream was cut in the middle");
    });
  }
}
