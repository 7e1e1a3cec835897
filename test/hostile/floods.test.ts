import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { requestBytes } from "../http/raw-socket.ts";
import { useQuickService } from "../service.ts";
import { busyMs } from "../support/process-figures.ts";
import { openSockets } from "./sockets.ts";

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
  for (const reads of [false, true]) {
    test(`${what}: pipelined by the megabyte and ${reads ? "read" : "never read"}, it costs next to nothing`, async () => {
      const flood = Buffer.concat(Array<Buffer>(Math.ceil(bytesEach / request.length)).fill(request));
      const before = busyMs(service.child);
      // The service closes each connection in the middle of its flood.
      const sockets = await openSockets(service.port, connections, { reads });
      for (const socket of sockets) socket.write(flood);
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
