import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { readSettings } from "../../src/settings.ts";
import { insideOf } from "../http/calls.ts";
import { exchangeOnce, postBytes, RawConnection, requestBytes } from "../http/raw-socket.ts";
import { usualSettings } from "../service.ts";
import { useStarted } from "../support/started.ts";
import { Gate, until } from "./gate.ts";
import { markers } from "./markers.ts";

// The service is the compiled one, since its threads cannot load TypeScript.
const compiled = new URL("../../.dist/src/service/service.js", import.meta.url).href;

/** Requests of a single check, and of a batch. */
export const checkOf = (iban: string) => requestBytes("GET", `/v1/iban/${iban}`);
export const batchOf = (...ibans: readonly string[]) => postBytes("/v1/iban", JSON.stringify({ ibans }));

/** The service in this process, with workers that obey the markers. */
export type MarkedService = Awaited<ReturnType<typeof startMarkedService>>;

/** A service with these settings for the tests of a file, each of which begins with the gate shut. */
export function useMarkedService(settings: Readonly<Record<string, string>>): MarkedService {
  const service = useStarted(
    () => startMarkedService(settings),
    ({ stop }) => stop(),
  );
  beforeEach(() => service.gate.shut());
  return service;
}

/** Starts the service with one worker and with settings given as environment variables. */
export async function startMarkedService(settings: Readonly<Record<string, string>> = {}) {
  const gate = Gate.make();
  const environment = { POOL_SIZE: "1", ...usualSettings(), ...settings };
  const workerFile = fileURLToPath(new URL("marked-thread.js", import.meta.url));
  const { startService } = (await import(compiled)) as typeof import("../../src/service/service.ts");
  let log = "";
  const stream = {
    write: (line: string) => {
      log += line;
    },
  };
  const service = await startService(readSettings([], environment), pino({ level: "warn" }, stream), {
    workerFile,
  });
  const { port } = service;
  const send = async (bytes: Uint8Array) => {
    const connection = await RawConnection.open(port);
    await connection.send(bytes);
    return connection;
  };
  const check = (iban: string) => send(checkOf(iban));
  const inside = (count: number) => until(async () => (await insideOf(service)) === count);
  return {
    port,
    gate,
    /** The warnings and errors in its log so far. */
    log: () => log,
    /** Sends a request on a separate connection and returns the connection, its answer still to come. */
    send,
    /** Sends a request on a connection of its own and returns the answer. */
    ask: (bytes: Uint8Array) => exchangeOnce(port, bytes),
    /** Sends the single check of an IBAN. */
    check,
    /** Resolves when this many accepted requests are inside. */
    inside,
    /** Shuts the gate and takes this many places with single checks that stop at it; a batch shortly before would be kept some. */
    fill: async (places: number) => {
      gate.shut();
      const connections = [];
      for (let place = 0; place < places; place++) connections.push(await check(markers.gate));
      await inside(places);
      return connections;
    },
    /** Opens the gate until each of these requests is answered and none is inside, and ends their connections. */
    release: async (connections: readonly RawConnection[]) => {
      gate.open();
      for (const connection of connections) {
        assert.equal((await connection.answer()).status, 200);
        connection.destroy();
      }
      await inside(0);
    },
    /** Opens the gate and stops the service. */
    stop: () => {
      gate.open();
      return service.stop();
    },
    /** Stops the service, leaving the gate as it is. */
    stopAsItIs: () => service.stop(),
  };
}
