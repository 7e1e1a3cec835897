import assert from "node:assert/strict";
import { test } from "node:test";
import { sendLines } from "../../src/client/answer-lines.ts";
import { BankcheckError, type Fetch } from "../../src/client/index.ts";
import { RequestSender } from "../../src/client/sender.ts";

const summaryOf = (lines: number) => `${JSON.stringify({ summary: { lines, valid: lines, invalid: 0 } })}\n`;

/** The lines that a body asks. */
const linesOf = (body = "") => body.split("\n").filter((line) => line !== "");

/** Returns the service's answer to a body. */
function answerTo(body: string | undefined): string {
  const asked = linesOf(body);
  const answers = asked.map((line, index) => `{"line":${index + 1},"valid":true,"of":${line}}\n`);
  return answers.join("") + summaryOf(asked.length);
}

/** Sends lines over what answers each request; returns the answers and which lines each request asked. */
async function sent(
  lines: readonly string[],
  answers: (body: string, number: number) => AsyncIterable<Buffer>,
) {
  const asked: string[][] = [];
  const fetch: Fetch = async (_url, init) => {
    const body = String(init.body);
    asked.push(linesOf(body));
    const parts = answers(body, asked.length - 1);
    return { ok: true, status: 200, headers: { get: () => null }, text: async () => "", body: parts };
  };
  const options = { baseUrl: "http://service", apiKey: "key", fetch, minDelayMs: 0, retries: 2 };
  const sender = new RequestSender(options);
  return { answers: await sendLines(sender, lines, { path: "/v1/stream", signal: undefined }), asked };
}

async function* whole(text: string) {
  yield Buffer.from(text);
}

const lines = ['"eins"', '"zwei ü"', '"drei"', '"vier"'];
const expected = lines.map((line) => `"valid":true,"of":${line}}`);

test("wherever an answer is cut off, only lines without an answer are sent again", async () => {
  const bytes = Buffer.from(answerTo(lines.join("\n")));
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { answers, asked } = await sent(lines, async function* (body, number) {
      if (number > 0) yield* whole(answerTo(body));
      else {
        // In two parts, the end of the first of which may be within a character.
        yield bytes.subarray(0, cut >> 1);
        yield bytes.subarray(cut >> 1, cut);
        if (cut < bytes.length) throw new Error("socket hang up");
      }
    });
    assert.deepEqual(answers, expected);
    const answered = bytes.subarray(0, cut).toString().split("\n").length - 1;
    assert.deepEqual(
      asked.slice(1),
      answered >= lines.length ? [] : [lines.slice(answered)],
      `cut at ${cut}`,
    );
  }
});

test("an answer that brings lines each time is never given up, one that brings none is", async () => {
  const one = await sent(lines, (body) => whole(answerTo(body).split("\n")[0]!.concat("\n")));
  assert.equal(one.asked.length, 4);
  const failing = sent(lines, () => whole('{"error":{"code":"internal_error","message":"It failed."}}\n'));
  await assert.rejects(
    failing,
    (error) => error instanceof BankcheckError && error.code === "internal_error",
  );
});
