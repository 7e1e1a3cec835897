const pingMs = 10_000;
/** Statuses of a service that may answer later. */
const unavailable = new Set([429, 500, 502, 503, 504]);

/** The path before those of the service, without its last slash. */
export function prefixOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

/** Rejects unless a bankcheck answers that knows the key; returns at once where the run is ended meanwhile. */
export async function expectService(url: URL, key: string, ended: AbortSignal): Promise<void> {
  const address = `${url.origin}${prefixOf(url)}/v1/ping`;
  const signal = AbortSignal.any([AbortSignal.timeout(pingMs), ended]);
  const reason = await fetch(address, { headers: { "X-API-Key": key }, signal, redirect: "manual" })
    .then((answer) => rejectionReason(address, answer))
    .catch((error: Error) => unreachable(url, error));
  if (reason !== undefined && !ended.aborted) throw new Error(reason);
}

/** Why an answer to a ping is not that of a bankcheck, in one sentence; undefined where it is. */
async function rejectionReason(address: string, answer: Response): Promise<string | undefined> {
  const { status } = answer;
  if (status === 401) return `${new URL(address).origin} does not know the API key in BANKCHECK_KEY.`;
  if (unavailable.has(status)) {
    return `${address} answered ${status} instead of 200: the service, or a proxy before it, is not available now.`;
  }
  if (status !== 200) {
    const to = answer.headers.get("location");
    const where = to === null ? "" : ` (to ${to})`;
    return `${address} answered ${status}${where} instead of 200: is this the address of a bankcheck?`;
  }
  const body = (await answer.json().catch((error: Error) => {
    if (error.name !== "SyntaxError") throw error;
  })) as { readonly message?: unknown } | null | undefined;
  return body?.message === "Pong" ? undefined : `${address} is not answered by a bankcheck.`;
}

/** Errors of certificates whose issuer this machine does not know. */
const unknownIssuer = /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/;

/** Why a service was not reached, in one sentence. */
function unreachable({ origin, hostname, protocol }: URL, error: Error): string {
  const { code = "", message = error.message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  if (error.name === "TimeoutError") return `${origin} does not answer within ${pingMs / 1_000} seconds.`;
  if (code === "ECONNREFUSED") return `${origin} refuses connections: no service listens there.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `The host ${hostname} was not found.`;
  if (unknownIssuer.test(code)) {
    return `This machine does not trust the certificate of ${origin} (${code}); set NODE_EXTRA_CA_CERTS to the file of its issuer.`;
  }
  if (code.startsWith("HPE_")) return `${origin} does not answer in HTTP (${code}): is it https://?`;
  if (code === "UND_ERR_SOCKET" && protocol === "http:") {
    return `${origin} closes the connection without an answer in HTTP: is it https://?`;
  }
  if (/SSL|EPROTO/.test(code)) return `${origin} does not answer in TLS (${code}): is it http://?`;
  return `${origin} does not answer (${[code, message].filter(Boolean).join(": ")}).`;
}
