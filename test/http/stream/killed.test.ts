import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../faults/gate.ts";
import { freePort } from "../../free-port.ts";
import { scrape, valueIn } from "../../metrics/exposition.ts";
import { quickServiceOf, type RunningService, startCompiledService } from "../../service.ts";
import { residentMb } from "../../support/process-figures.ts";
import { randomOf } from "../../support/random.ts";
import { chunkOf, RawConnection, requestBytes } from "../raw-socket.ts";
import { answerTo, asText, beginStream, linesOf, openStream, stream } from "./client.ts";

/** The long form kills in this many rounds: `STREAM_ROUNDS=50`. */
const rounds = Number(process.env["STREAM_ROUNDS"] ?? 2);
const streams = 100;
const iban = "DE89370400440532013000";
const block = `${iban}\n`.repeat(500);

test("100 streams that are killed at random moments, with slow readers among them, leave memory flat and lose nothing", async (t) => {
  const adminPort = await freePort();
  const service = await startCompiledService({ STREAMS: String(streams), ADMIN_PORT: String(adminPort) });
  t.after(() => service.stop());
  const random = randomOf(20_261_122);
  const resident = () => residentMb(service.child);
  const metric = async (name: string) => valueIn((await scrape(adminPort)).series, name)!;
  const counted = () => metric("bankcheck_checks_total");
  let sent = 0;
  let seen = 0;
  const one = async () => {
    const open = openStream(service);
    let text = "";
    const isSlow = random(10) < 3;
    open.on("response", (answer) => {
      answer.on("error", () => {});
      if (isSlow) answer.pause();
      else answer.on("data", (piece: Buffer) => (text += piece.toString()));
    });
    const end = performance.now() + random(400);
    do {
      sent += 500;
      const hasRoom = open.write(block);
      await delay(hasRoom ? random(10) : 20);
    } while (performance.now() <= end);
    open.destroy();
    const whole = linesOf(text.slice(0, text.lastIndexOf("\n") + 1));
    for (const [index, { line }] of whole.entries()) assert.equal(line, index + 1);
    seen += whole.length;
  };
  const round = async () => {
    await Promise.all(Array.from({ length: streams }, one));
    // What a killed stream has sent is counted once its socket is known to be gone.
    await until(async () => (await metric("bankcheck_streams")) === 0);
  };
  await round();
  const memory = [resident()];
  // How much garbage there is depends on the machine; memory that is lost grows with each round.
  do {
    for (let done = 1; done < rounds; done++) await round();
    memory.push(resident());
  } while (memory.at(-1)! - memory.at(-2)! >= 100 && memory.length < 8);
  assert.ok(memory.at(-1)! - memory.at(-2)! < 100, `resident memory grows: ${memory.map(Math.round)} MB`);
  const checks = await counted();
  assert.ok(seen <= checks && checks <= sent, `${seen} answered, ${checks} counted, ${sent} sent`);
  const cutOne = () => cutWithinLine(service, 1 + random(600));
  const cut = await Promise.all(Array.from({ length: streams }, cutOne));
  const lines = await stream(service, [block]);
  assert.equal(lines.at(-1)?.summary?.valid, 500);
  const answered = cut.reduce((sum, count) => sum + count, 500);
  assert.equal((await counted()) - checks, answered);
});

/** Sends lines and the beginning of one, reads all answers and goes away; returns how many there were. */
async function cutWithinLine(service: RunningService, count: number): Promise<number> {
  const start = `${iban}\n`.repeat(count) + iban.slice(0, 9);
  const { open, answer } = await beginStream(service, start, "?fields=status");
  let read = 0;
  for await (const piece of answer) {
    read += (piece as Buffer).toString("latin1").split("\n").length - 1;
    if (read === count) break;
  }
  open.destroy();
  return read;
}

test("a client that does not read and dies makes room for the next stream long before its limits", async (t) => {
  const patient = { ANSWER_TIMEOUT: "600000", STREAM_IDLE_TIMEOUT: "600000" };
  const service = await quickServiceOf(t, { STREAMS: "1", ...patient });
  const headers = ["Content-Type: text/plain", "Transfer-Encoding: chunked"];
  const { socket: client } = await RawConnection.open(service.port);
  client.pause();
  client.write(requestBytes("POST", "/v1/stream", { headers }));
  const chunk = chunkOf(block);
  // Once nothing more is taken the service has paused the body, since its answers wait.
  for (let waits = 0; waits < 20; waits = client.writableLength > 0 ? waits + 1 : 0) {
    if (client.writableLength === 0) for (let count = 0; count < 100; count++) client.write(chunk);
    await delay(10);
  }
  const isFree = async () => (await answerTo(service, [iban], "", asText)).status === 200;
  assert.equal(await isFree(), false);
  client.resetAndDestroy();
  await once(client, "close");
  await until(isFree);
});
