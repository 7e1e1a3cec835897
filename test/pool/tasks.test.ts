import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ErrorCode, errorBody, errorCatalogue, RequestError } from "../../src/contract/errors.ts";
import { message } from "../../src/contract/message.ts";
import { type Slot, SlotField, SlotMemory } from "../../src/pool/slots.ts";
import {
  decodeFailure,
  decodeRefusal,
  encodeFailure,
  encodeRefusal,
  encodeTask,
  taskKinds,
} from "../../src/pool/tasks.ts";
import { allocateSlots } from "../support/slots.ts";

const small = new SlotMemory(allocateSlots(1, 0)).slots[0]!;

const textIn = (slot: Slot) => slot.input.toString("utf8", 0, slot.get(SlotField.inputLength));

test("a text that does not fit is refused, not cut", () => {
  const { length } = small.input;
  for (const text of ["x".repeat(length), "ä".repeat(length / 2), "é€".repeat(length / 8)]) {
    encodeTask(small, "suggest", 0, text);
    assert.equal(textIn(small), text);
    assert.throws(() => encodeTask(small, "suggest", 0, `${text}${"y".repeat(length)}`), {
      code: "payload_too_large",
    });
  }
});

test("a text is decoded as it was encoded", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 240 }), fc.nat(7), (text, flags) => {
      encodeTask(small, "checkAccountByPath", flags, text);
      assert.equal(small.get(SlotField.kind), taskKinds.checkAccountByPath);
      assert.equal(small.get(SlotField.flags), flags);
      assert.equal(textIn(small), text);
    }),
  );
});

test("every error of the catalogue is decoded as it was encoded", () => {
  const detail = fc.record(
    {
      message: fc
        .string({ unit: "binary", maxLength: 200 })
        .map((method) => message("method_allowed", { method, allow: "GET" })),
      field: fc.string({ maxLength: 20 }),
    },
    { requiredKeys: [] },
  );
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  fc.assert(
    fc.property(fc.constantFrom(...codes), fc.option(detail, { nil: undefined }), (code, given) => {
      encodeRefusal(small, new RequestError(code, given));
      const refusal = decodeRefusal(small);
      assert.deepEqual(errorBody(refusal!.code, refusal!.detail), errorBody(code, given));
    }),
  );
  small.set(SlotField.isRefusal, 0);
  assert.equal(decodeRefusal(small), undefined, "a slot without an error holds an answer");
});

test("what a task threw is left in its slot with its stack, and without the account that it was about", () => {
  const accounts = ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "532013000"];
  for (const account of accounts) {
    for (const thrown of [
      new RangeError(`no room for ${account} in the slot`),
      new SyntaxError(`Unexpected token, "{\n"iban":"${account}"}" is not JSON`),
      `the text ${account}`,
    ]) {
      small.set(SlotField.kind, taskKinds.batch);
      encodeFailure(small, thrown);
      const { task, stack } = decodeFailure(small);
      assert.equal(task, "batch");
      assert.match(
        stack,
        /^(RangeError: no room for|SyntaxError: Unexpected token, "…" is not JSON|Error: the text)/,
      );
      assert.match(stack, /\n\s+at .*tasks\.(test\.)?ts:\d+/);
      for (const part of account.split(" ")) assert.ok(!stack.split("\n", 1)[0]!.includes(part), stack);
    }
  }
});

test("a long stack is cut, and never leaves its slot", () => {
  encodeFailure(small, new Error("ä".repeat(100_000)));
  assert.ok(decodeFailure(small).stack.startsWith("Error: ää"));
});
