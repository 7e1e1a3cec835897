import assert from "node:assert/strict";
import { test } from "node:test";
import { type ErrorCode, errorCatalogue } from "../../../src/contract/errors.ts";
import { errorCodesOf } from "../../../src/contract/openapi/responses.ts";
import { AddressCounts } from "../../../src/http/addresses.ts";
import { UnsentAnswers } from "../../../src/http/bounded-bytes.ts";
import { Connections } from "../../../src/http/connections.ts";
import { Exchange } from "../../../src/http/exchange.ts";
import type { NativeRequest, NativeResponse } from "../../../src/http/native.ts";
import { TurnLimit } from "../../../src/http/turn-limit.ts";
import { describedRoutes, operationOf, publishedDocument } from "./published.ts";

/** Headers of every answer; `Allow` is given by the place that raises method_not_allowed, and the language only where it is not English. */
const undocumented = ["X-Request-Id", "Content-Language", "Allow"];

test("a refusal carries the very headers that the document describes for its code", () => {
  const document = publishedDocument();
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const sent = headersOf(code);
    for (const route of describedRoutes) {
      if (!errorCodesOf(route).includes(code)) continue;
      const documented = operationOf(document, route).responses[errorCatalogue[code].http_status]!;
      const names = Object.keys(documented.headers).filter((name) => !undocumented.includes(name));
      assert.deepEqual(names, [...sent.keys()], `${route.operation} ${code}`);
      for (const name of names) {
        assert.equal(String(document.components.headers[name]?.schema.const), sent.get(name), name);
      }
    }
  }
});

/** The headers a refusal writes beyond those of every answer. */
function headersOf(code: ErrorCode): Map<string, string> {
  const written = new Map<string, string>();
  const response = {
    writeStatus: () => response,
    writeHeader: (name: string, value: string) => {
      if (!undocumented.includes(name)) written.set(name, value);
      return response;
    },
    tryEnd: () => [true, true],
  } as unknown as NativeResponse;
  const request = { getUrl: () => "/", getQuery: () => "", forEach: () => {} } as unknown as NativeRequest;
  const unsent = new UnsentAnswers(60_000);
  const life = {
    stopping: false,
    unsent,
    takeBodiless: () => true,
    keyless: new TurnLimit(1),
    connections: new Connections(1, new AddressCounts(0), () => {}),
    answered: () => {},
  };
  new Exchange(response, request, "GET", life).refuse(code);
  unsent.close();
  return written;
}
