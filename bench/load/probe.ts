import { benchKey } from "./generator.ts";

/** Latencies of a few requests sent at a steady rate while a load runs, by what they asked and what came back. */
export interface ProbeResult {
  /** "POST 200", "POST 503", "GET 200", … with how many there were and milliseconds. */
  readonly kinds: Readonly<
    Record<string, { readonly count: number; readonly p50: number; readonly p99: number }>
  >;
  /** Event-loop delay of the service over the whole load, milliseconds. */
  readonly eventLoopDelayP99: number;
  /** Accepted requests inside the pool when all was over. */
  readonly insideAfterwards: number;
}

const intervalMs = 10;
const settleMs = 500;

/** Probes a service until `load` is over: a batch and a probe of the front end in turn, one every 10 ms. */
export async function probeDuring(url: string, body: string, load: Promise<unknown>): Promise<ProbeResult> {
  const headers = { "X-API-Key": benchKey, "Content-Type": "application/json" };
  const times = new Map<string, number[]>();
  const pending: Promise<void>[] = [];
  let isOver = false;
  let turn = 0;
  await readHealth(url);
  const timer = setInterval(() => {
    if (isOver) return;
    const isPost = turn++ % 2 === 0;
    const begin = performance.now();
    const answer = isPost
      ? fetch(`${url}/v1/iban`, { method: "POST", headers, body })
      : fetch(`${url}/service/live`, { headers });
    pending.push(
      answer.then(async (response) => {
        await response.arrayBuffer();
        const kind = `${isPost ? "POST" : "GET"} ${response.status}`;
        times.set(kind, [...(times.get(kind) ?? []), performance.now() - begin]);
      }),
    );
  }, intervalMs);
  await load;
  isOver = true;
  clearInterval(timer);
  await Promise.all(pending);
  await new Promise((resolve) => {
    setTimeout(resolve, settleMs);
  });
  const health = await readHealth(url);
  const kinds = [...times].map(([kind, all]) => {
    const sorted = all.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    return [kind, { count: sorted.length, p50: at(0.5), p99: at(0.99) }] as const;
  });
  return {
    kinds: Object.fromEntries(kinds),
    eventLoopDelayP99: health.process.event_loop_delay_p99_ms,
    insideAfterwards: health.pool.inside,
  };
}

interface Health {
  readonly process: { readonly event_loop_delay_p99_ms: number };
  readonly pool: { readonly inside: number };
}

async function readHealth(url: string): Promise<Health> {
  const answer = await fetch(`${url}/service/health`, { headers: { "X-API-Key": benchKey } });
  return (await answer.json()) as Health;
}
