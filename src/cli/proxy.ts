import { EnvHttpProxyAgent, ProxyAgent, request } from "undici";
import type { Fetch } from "../client/fetch-answer.ts";
import { CommandFailure } from "./exit-codes.ts";

/** The variables that may name the proxy of an address, the first that is set counts. */
const variables = (address: string) => [
  ...(address.startsWith("https:") ? ["https_proxy", "HTTPS_PROXY"] : []),
  ...["http_proxy", "HTTP_PROXY"],
];

function proxyOf(address: string) {
  const variable = variables(address).find((name) => process.env[name] !== undefined) ?? "";
  const proxy = process.env[variable];
  return proxy ? { variable, proxy } : undefined;
}

/** Returns what an error says of the proxy of an address, without its password; empty if there is none. */
export function proxyNote(address: string): string {
  const found = proxyOf(address);
  return found === undefined
    ? ""
    : ` (${found.variable} names the proxy ${new URL(found.proxy).host}, unless NO_PROXY names the host)`;
}

/** Returns what connects through a proxy. Throws a CommandFailure that names the option or variable if it is not an address. */
export function agentOfProxy(name: string, proxy: string): ProxyAgent {
  try {
    if (/^(https?|socks5?):\/\/[^/]/.test(proxy)) return new ProxyAgent(proxy);
  } catch {
    // An address without a host, or with a password that cannot be decoded.
  }
  throw new CommandFailure(`${name} must be an address, as in http://proxy:3128.`);
}

/**
 * Returns what follows `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case. Requests without TLS reach the proxy as
 * they are, since many proxies open tunnels for TLS alone. Throws a CommandFailure for a proxy that is not an address.
 */
export function proxyAgent(): EnvHttpProxyAgent {
  for (const name of variables("https:")) {
    const proxy = process.env[name] ?? "";
    if (proxy !== "") agentOfProxy(name, proxy);
  }
  // The callers have bounds of their own.
  return new EnvHttpProxyAgent({ proxyTunnel: false, headersTimeout: 0, bodyTimeout: 0 });
}

/** Returns a `fetch` through the proxy of an address, and what ends its connections; undefined if it has none. */
export function proxiedFetch(address: string) {
  if (proxyOf(address) === undefined) return undefined;
  const dispatcher = proxyAgent();
  const note = proxyNote(address);
  const fetch: Fetch = async (url, init) => {
    const asked = request(url, { dispatcher, ...init }).catch((error: NodeJS.ErrnoException) => {
      const { message, code = (error.cause as { code?: string } | undefined)?.code } = error;
      throw Object.assign(new Error(`${message || code || ""}${note}`), { code });
    });
    const { statusCode: status, headers, body } = await asked;
    // The service answers every error in JSON.
    if (status >= 400 && !String(headers["content-type"]).includes("json")) {
      await body.dump();
      throw new Error(`the answer is HTTP status ${status}${note}`);
    }
    const get = (name: string) => headers[name.toLowerCase()]?.toString() ?? null;
    const isOk = status >= 200 && status < 300;
    return { ok: isOk, status, headers: { get }, text: () => body.text(), body };
  };
  return { fetch, close: () => dispatcher.destroy() };
}
