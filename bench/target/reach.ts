import { BankcheckClient } from "../../src/client/index.ts";
import type { Result } from "../report/report.ts";

const timeoutMs = 10_000;

/** The path before those of the service, without its last slash. */
export function prefixOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

/** Returns the version and edition of a service; rejects unless a bankcheck answers there that knows the key. */
export async function findService(url: URL, key: string): Promise<Result["service"]> {
  const baseUrl = url.origin + prefixOf(url);
  const client = new BankcheckClient({ baseUrl, apiKey: key, timeout: timeoutMs, retries: 0 });
  await client.ping();
  // A proxy may keep the paths of operators to itself.
  const health = await client.health().catch(() => undefined);
  return { url: baseUrl, version: health?.version ?? null, edition: health?.data?.edition ?? null };
}
