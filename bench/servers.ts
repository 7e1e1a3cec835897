import { makeCertificate } from "../test/support/certificate.ts";
import { newFolder } from "../test/support/folders.ts";
import type { ServerSpec } from "./load/process.ts";
import { benchKey } from "./load/requests.ts";

const tsx = ["--import", "tsx"];

/** The compiled service with a pool of its own size and queue. */
export const bankcheck = (workers: number, queue: number): ServerSpec => ({
  name: `bankcheck, ${workers} worker${workers === 1 ? "" : "s"}`,
  args: [".dist/src/main.js"],
  env: {
    PORT: "0",
    API_KEYS: `bench:${benchKey}`,
    POOL_SIZE: String(workers),
    POOL_QUEUE: String(queue),
  },
});

/** Wide enough that no closed-loop scenario meets the ceiling. */
const openQueue = 512;

export const servers = {
  bankcheck: bankcheck(2, openQueue),
  "bankcheck-tls": { ...bankcheck(2, openQueue), name: "bankcheck over TLS, 2 workers" },
  before: { ...bankcheck(2, openQueue), name: "bankcheck before" },
  uws: { name: "uWebSockets.js, constant answer", args: [...tsx, "bench/baselines/uws-constant.ts"] },
  fastify: { name: "fastify + ibantools", args: [...tsx, "bench/baselines/fastify-ibantools.ts"] },
} as const satisfies Record<string, ServerSpec>;

export type ServerName = keyof typeof servers;

/** How a server is started; `before` is the checkout in `folder`. */
export function specOf(name: ServerName, folder = "."): ServerSpec {
  if (name === "before") return { ...servers.before, folder };
  if (name !== "bankcheck-tls") return servers[name];
  return { ...servers[name], env: { ...servers[name].env, ...makeCertificate(newFolder(), "bench") } };
}
