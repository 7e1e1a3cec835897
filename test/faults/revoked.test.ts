import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createKey, revokeKeys } from "../../src/keys/key-changes.ts";
import { answerOf, linesOf, openStream } from "../http/stream/client.ts";
import { newFolder } from "../support/folders.ts";
import { startMarkedService } from "./marked-service.ts";

test("a stream whose key is revoked ends with the line to continue from, for which another key is needed", async () => {
  const stateDir = newFolder();
  const { key } = await createKey(stateDir, "streams", new Date(), undefined);
  const service = await startMarkedService({ STATE_DIR: stateDir, STREAM_IDLE_TIMEOUT: "2000" });
  const open = openStream(service, "", "text/plain", { "X-API-Key": key });
  const feeding = setInterval(() => open.write("DE89370400440532013000\n"), 20);
  const answer = await answerOf(open);
  await revokeKeys(stateDir, "streams");
  const lines = linesOf(await text(answer));
  clearInterval(feeding);
  open.destroy();
  assert.equal(lines.at(-1)?.summary?.next_line, lines.length);
  await service.stop();
});
