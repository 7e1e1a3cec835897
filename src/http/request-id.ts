import { randomBytes } from "node:crypto";

const accepted = /^[\w.:-]{1,64}$/;
const processPart = randomBytes(6).toString("base64url");
let counter = 0;

/**
 * Gives the id of a request: the one the client sent in `X-Request-Id` where it is 1 to 64 letters, digits, `_ . : -`,
 * otherwise a new one, unique among all processes.
 */
export function requestIdOf(given: string): string {
  if (given !== "" && accepted.test(given)) return given;
  counter++;
  return `${processPart}-${counter.toString(36)}`;
}
