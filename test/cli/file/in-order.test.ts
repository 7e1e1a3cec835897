import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "../../../src/cli/file/in-order.ts";
import { collect } from "../../client/collect.ts";

const bounds = { most: 5, hasRoom: () => true, signal: new AbortController().signal };
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

test("results are in the order of the items, and no more are at work or held than allowed", async () => {
  const finish: (() => void)[] = [];
  const work = async (item: number) => {
    await new Promise<void>((resolve) => finish.push(resolve));
    return item;
  };
  async function* source() {
    yield* [0, 1, 2, 3, 4];
  }
  const results = inOrder(source(), work, { ...bounds, most: 3 });
  const first = results.next();
  await turns(5);
  finish[2]?.();
  finish[1]?.();
  await turns(5);
  assert.equal(finish.length, 3, "the fourth waits until the first has been taken");
  finish[0]?.();
  assert.equal((await first).value, 0);
  const rest = collect(results);
  await turns(5);
  finish[3]?.();
  finish[4]?.();
  assert.deepEqual(await rest, [1, 2, 3, 4]);
});

test("while there is no room one item is at work", async () => {
  let begun = 0;
  async function* source() {
    yield* [1, 2, 3];
  }
  const work = () => turns(2).then(() => ++begun);
  const results = inOrder(source(), work, { ...bounds, hasRoom: () => false });
  await results.next();
  await turns(5);
  assert.equal(begun, 1);
  assert.deepEqual(await collect(results), [2, 3]);
});

test("a signal ends what is at work, also while the source yields nothing", async () => {
  async function* source() {
    yield 1;
    await new Promise(() => {});
  }
  const stop = new AbortController();
  let ended = 0;
  const work = (_: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) =>
      signal.addEventListener("abort", () => {
        ended++;
        reject(signal.reason);
      }),
    );
  const first = inOrder(source(), work, { ...bounds, signal: stop.signal }).next();
  await turns(5);
  stop.abort(new Error("enough"));
  await assert.rejects(first, /enough/);
  assert.equal(ended, 1);
});
