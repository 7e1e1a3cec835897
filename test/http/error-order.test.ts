import { test } from "node:test";
import { expectError } from "../contract/error-table.ts";
import { useSharedService } from "../service.ts";
import { exchangeOnce, postBytes, requestBytes } from "./raw-socket.ts";

const service = useSharedService();

const noKey = "X-API-Key: ";
const wrongKey = "Authorization: Bearer not-the-key-0123456789";
const json = "Content-Type: application/json";
const chunked = "Transfer-Encoding: chunked";
const tooLong = "Content-Length: 131073";
const send = (method: string, path: string, ...headers: string[]) => requestBytes(method, path, { headers });
const get = send.bind(undefined, "GET");
const post = send.bind(undefined, "POST");
const postIban = (body: string) => postBytes("/v1/iban", body);
const postAccount = (body: string) => postBytes("/v1/kto", body);
const iban = "DE89370400440532013000";

/** The faults of a request, the request, and the error that wins with the field it names. */
const contests: readonly (readonly [what: string, request: Buffer, code: string, field?: string])[] = [
  // The framing first, since nothing behind it can be trusted; then the key before everything.
  ["no key, chunked twice", post("/v1/iban", wrongKey, json, chunked, chunked), "invalid_request"],
  ["no key, unknown path", get("/nowhere", noKey), "invalid_key"],
  ["no key, dot path", get("/.env", noKey), "invalid_key"],
  ["no key, unknown path under /v1/", get("/v1/x", wrongKey), "invalid_key"],
  ["no key, wrong method", send("PUT", "/v1/kto", noKey), "invalid_key"],
  ["no key, OPTIONS", send("OPTIONS", "/v1/ping", noKey), "invalid_key"],
  ["no key, no JSON", requestBytes("POST", "/v1/iban", { headers: [noKey], body: "x" }), "invalid_key"],
  ["no key, too large", post("/v1/iban", noKey, json, tooLong), "invalid_key"],
  ["no key, wrong field", get("/v1/iban/XX", wrongKey), "invalid_key"],
  ["no key, the service's own document", get("/service/openapi.json", noKey), "invalid_key"],
  // The path before the method, the method before the rest.
  ["unknown path, odd method", requestBytes("DELETE", "/v1/nowhere"), "invalid_request"],
  ["unknown path, too large", post("/v1/nowhere", json, tooLong), "invalid_request"],
  ["wrong method, wrong content type", requestBytes("PUT", "/v1/iban", { body: "x" }), "method_not_allowed"],
  ["wrong method, too large", send("PATCH", "/v1/kto", json, tooLong), "method_not_allowed"],
  ["wrong method, wrong fields", post("/v1/kto/0/x"), "method_not_allowed"],
  // The content type before the size, the size before the body.
  ["no JSON, too large", post("/v1/iban", tooLong), "invalid_content_type"],
  ["no JSON, no body", post("/v1/iban"), "invalid_content_type"],
  ["too large, body never sent", post("/v1/iban", json, tooLong), "payload_too_large"],
  ["too large, broken JSON", postIban("{".repeat(131_073)), "payload_too_large"],
  // The names of parameters before the body.
  ["unknown parameter, broken JSON", postBytes("/v1/compose?expalin=1", "{"), "invalid_request", "expalin"],
  ["unknown parameter of a sample", get("/v1/sample?bank_code=1"), "invalid_request", "bank_code"],
  ["slip in an extension", get("/v1/kto/0/x?expalin=1"), "invalid_request", "expalin"],
  // The body before its fields.
  ["broken JSON", postIban('{"iban":"XX","ibans":[]'), "invalid_request"],
  ["both fields, null", postIban('{"iban":null,"ibans":null}'), "conflicting_iban_fields"],
  // Fields in the order of their table.
  ["bank code, sepa, unknown", postAccount('{"y":1,"sepa":2,"kontonummer":"1"}'), "invalid_blz"],
  ["sepa, unknown", postAccount('{"y":1,"sepa":2,"kontonummer":"1","bankleitzahl":"1"}'), "invalid_sepa"],
  ["account in the path", get("/v1/kto/0/x?sepa=2"), "invalid_kontonummer"],
  ["bank code in the path", get("/v1/kto/1/x?sepa=2"), "invalid_blz"],
  ["sepa in the query", get("/v1/kto/1/1?explain=2&sepa=2"), "invalid_sepa"],
  ["explain in the query", get("/v1/kto/1/1?explain=2&sepa=1"), "invalid_request", "explain"],
  ["IBAN and BIC in the path", get("/v1/iban/x/x?sepa=2"), "invalid_iban"],
  ["BIC in the path", get(`/v1/iban/${iban}/x?sepa=2`), "invalid_bic"],
  ["sepa of an IBAN", get(`/v1/iban/${iban}/COBADEFF?sepa=2`), "invalid_sepa"],
  ["zip, bank code, max", postBytes("/v1/search", '{"max":0,"bankleitzahl":"x","zip":"x"}'), "invalid_zip"],
  ["bank code, max", postBytes("/v1/search", '{"max":0,"bankleitzahl":"x"}'), "invalid_blz"],
  ["max of a search for nothing", get("/v1/search?max=0"), "invalid_max"],
];

for (const [what, request, code, field] of contests)
  test(`of several faults (${what}), ${code} is reported`, async () =>
    expectError(await exchangeOnce(service.port, request), code, field));
