import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { requestBytes } from "../http/raw-socket.ts";
import { useQuickService } from "../service.ts";
import { busyMs } from "../support/process-figures.ts";

const service = useQuickService();

const noKey = "X-API-Key:";
const floods: Readonly<Record<string, Buffer>> = {
  "HEAD of an unknown path": requestBytes("HEAD", "/", { headers: [noKey] }),
  "HEAD of a probe": requestBytes("HEAD", "/service/live", { headers: [noKey] }),
  "HEAD with a valid key": requestBytes("HEAD", "/v1/ping"),
  "304 of a page": requestBytes("GET", "/service/console", { headers: [noKey, "If-None-Match: *"] }),
  "304 with a valid key": requestBytes("GET", "/service/openapi.json", { headers: ["If-None-Match: *"] }),
  "GET of an unknown path": requestBytes("GET", "/", { headers: [noKey] }),
  "GET of a probe": requestBytes("GET", "/service/live", { headers: [noKey] }),
};
const connections = 8;
const bytesEach = 4 * 1_048_576;
/** Processor time of the service that all floods of one kind may take: a tenth of what answering them would. */
const maxBusyMs = 1_500;

for (const [what, request] of Object.entries(floods)) {
  for (const isRead of [false, true]) {
    test(`${what}: pipelined by the megabyte and ${isRead ? "read" : "never read"}, it costs next to nothing`, async () => {
      const flood = Buffer.concat(Array<Buffer>(Math.ceil(bytesEach / request.length)).fill(request));
      const before = busyMs(service.child);
      const sockets = Array.from({ length: connections }, () => connect(service.port, "127.0.0.1"));
      for (const socket of sockets) {
        // The service closes the connection in the middle of the flood.
        socket.on("error", () => {});
        if (isRead) socket.resume();
        else socket.pause();
        socket.write(flood);
      }
      await Promise.all(
        sockets.map(({ connecting }, index) => connecting && once(sockets[index]!, "connect")),
      );
      for (let times = 0; times < 5; times++) {
        assert.equal((await service.request("/v1/ping")).status, 200);
        await delay(20);
      }
      const busy = busyMs(service.child) - before;
      assert.ok(busy < maxBusyMs, `${busy} ms`);
      for (const socket of sockets) socket.destroy();
    });
  }
}
