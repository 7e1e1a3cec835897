import type { IbanMix } from "../../test/support/iban-mix.ts";

/** The API key with which the bench calls the services that it starts. */
export const benchKey = "bench-key-0123456789";

/** IBANs in a batch, and different requests of a kind that are sent in turn. */
const batchSize = 500;
const bodies = 32;

/** Whom a request is sent to, and under which key; `path` precedes the paths of the service. */
export interface Addressee {
  readonly host: string;
  readonly key: string;
  readonly path: string;
}

export interface Requests {
  readonly singles: readonly string[];
  readonly batches: readonly string[];
}

/** Makes bodies of batches over all bank codes, one IBAN in ten with a wrong digit. */
export function makeBodies(mix: IbanMix, size = batchSize): readonly string[] {
  return Array.from({ length: bodies }, () => JSON.stringify({ ibans: mix.take(size) }));
}

export function requestsOf(
  mix: IbanMix,
  to: Addressee = { host: "bench", key: benchKey, path: "" },
): Requests {
  return {
    singles: mix.take(batchSize).map((iban) => getRequest(`/v1/iban/${iban}`, to)),
    batches: makeBodies(mix).map((body) => postRequest("/v1/iban", body, to)),
  };
}

export function getRequest(path: string, to: Addressee): string {
  return `GET ${headOf(path, to)}\r\n`;
}

/** A request with a body of JSON in ASCII. */
export function postRequest(path: string, body: string, to: Addressee): string {
  return `POST ${headOf(path, to)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function headOf(path: string, to: Addressee): string {
  return `${to.path}${path} HTTP/1.1\r\nHost: ${to.host}\r\nX-API-Key: ${to.key}\r\n`;
}
