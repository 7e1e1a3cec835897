import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Channel, resultOfThread, within } from "../../src/process/calls.ts";
import { newFolder } from "../support/folders.ts";

/** One end of a channel whose messages go through JSON, as those between processes do. */
class End extends EventEmitter {
  other: End | undefined;

  send(message: object, _handle: undefined, _options: undefined, sent: (error: Error | null) => void): void {
    const { other } = this;
    setImmediate(() => {
      if (other !== undefined) other.emit("message", JSON.parse(JSON.stringify(message)));
      sent(other === undefined ? new Error("the channel is closed") : null);
    });
  }
}

const offers = {
  double: (number: number) => 2 * number,
  later: async (text: string) => text,
  nothing: () => {},
  fails: () => {
    throw new Error("it failed");
  },
  never: () => new Promise<void>(() => {}),
};

function connected() {
  const [one, other] = [new End(), new End()];
  [one.other, other.other] = [other, one];
  const end = (side: End) => side as unknown as NodeJS.Process;
  new Channel(end(other), offers);
  const cut = () => {
    one.other = undefined;
    one.emit("disconnect");
  };
  return { channel: new Channel<typeof offers>(end(one)), cut };
}

test("each call gets its own answer, in any order", async () => {
  const { channel } = connected();
  const answers = [channel.call("later", "a"), channel.call("double", 21), channel.call("nothing")];
  assert.deepEqual(await Promise.all(answers), ["a", 42, undefined]);
});

test("a call rejects with the message of what the other end throws, and the next one is answered", async () => {
  const { channel } = connected();
  await assert.rejects(channel.call("fails"), /^Error: it failed$/);
  assert.equal(await channel.call("double", 1), 2);
});

test("calls open when the other end goes away are rejected, and so are later ones", async () => {
  const { channel, cut } = connected();
  const open = channel.call("never");
  cut();
  await assert.rejects(open, /the other process has ended/);
  await assert.rejects(channel.call("double", 1), /the channel is closed/);
  channel.notify("nothing");
  await new Promise(setImmediate);
});

test("what takes too long is given up", async () => {
  await assert.rejects(within(1, new Promise(() => {})), /within 1 ms/);
  await assert.rejects(within(1_000, Promise.reject(new Error("at once"))), /at once/);
  assert.equal(await within(1_000, Promise.resolve(1)), 1);
});

test("a thread that never answers is ended", async () => {
  const file = join(newFolder(), "silent.mjs");
  writeFileSync(file, "setInterval(() => {}, 1_000);");
  await assert.rejects(resultOfThread(file, undefined, 100), /no reply within 100 ms/);
});
