import { BankcheckClient, BankcheckError, type ClientOptions } from "../../src/client/index.ts";
import { testKey, useSharedService } from "../service.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../support/faulty-proxy.ts";

export const valid = "DE89370400440532013000";
export const account = { kontonummer: "532013000", bankleitzahl: "37040044" };

/** Options of a client that sends each body as a whole, as in browsers. */
export const asInBrowsers: Partial<ClientOptions> = { fetch: (url, init) => globalThis.fetch(url, init) };

/** Whether an error is the client's, with one of these codes. */
export const refusal =
  (...codes: readonly string[]) =>
  (error: unknown) =>
    error instanceof BankcheckError && codes.includes(error.code);

/** Clients of the shared service for the tests of a file. */
export function useClients() {
  const service = useSharedService();
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    new BankcheckClient({ baseUrl: service.url, apiKey: testKey, minDelayMs: 1, ...options });

  /** Runs with a client whose requests suffer the given faults, by their number; later ones pass. */
  async function withFaults<T>(
    faults: readonly (Fault | undefined)[],
    run: (client: BankcheckClient, proxy: FaultyProxy) => Promise<T>,
    options: Partial<ClientOptions> = {},
  ): Promise<T> {
    const proxy = await startFaultyProxy(service.url, (number) => faults[number]);
    try {
      return await run(clientOf({ baseUrl: proxy.url, ...options }), proxy);
    } finally {
      await proxy.close();
    }
  }
  return { service, clientOf, withFaults };
}
