import { type ErrorCode, type ErrorEntry, errorCatalogue, errorMessage } from "../errors.ts";
import {
  maxBatchIbans,
  maxBodyBytes,
  maxExtracted,
  maxSamples,
  maxSearchResults,
  maxStreamLineBytes,
  maxUnreadable,
  maxUsageDays,
  retryAfterSeconds,
} from "../limits.ts";
import { textOf } from "../message.ts";
import { accountOutcomes, ibanOutcomes, type Outcome, reasons, statusMeanings } from "../status.ts";

const statusesOf = (outcomes: Readonly<Record<string, Outcome>>) =>
  [...statusMeanings(outcomes)].map(([status, meaning]) => `\`${status}\`: ${meaning}`);

const errors = Object.entries<ErrorEntry>(errorCatalogue).map(
  ([code, { http_status, field, retry }]) =>
    `\`${code}\`, HTTP ${http_status}${field === undefined ? "" : `, field \`${field}\``}: ${textOf(errorMessage(code as ErrorCode), "en")}${retry ? " The same request may succeed later." : ""}`,
);

const limits = [
  `A request body has at most ${maxBodyBytes / 1_024} KB; a line of a stream at most ${maxStreamLineBytes / 1_024} KB, and a stream has any number of lines.`,
  `A batch has 1 to ${maxBatchIbans} IBANs.`,
  `A search returns at most ${maxSearchResults} banks; \`offset\` leads to the next ones.`,
  `A text may hold ${maxExtracted} IBANs, and as many BICs and accounts.`,
  `At most ${maxUnreadable} characters of an IBAN may be unreadable for \`POST /v1/suggest\`.`,
  `One request makes at most ${maxSamples} test numbers, and returns usage of at most ${maxUsageDays} days.`,
];

const listed = (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n");

/** What holds for every operation, in Markdown: sections of paragraphs and lists, made from the tables of the interface. */
export const guide = `## Keys

Send the API key as \`Authorization: Bearer <key>\`, or as \`X-API-Key: <key>\`, which is read only if there is no bearer token.
Probes need none. Each single check, search, look-up and IBAN of a batch or stream counts as one check of the key;
\`GET /service/usage\` returns their number. A key may have a rate limit and a limit of requests at once.

## Statuses

A check is answered with HTTP 200, right or wrong; \`status\` is its result, and \`valid\` is true where that is \`1\`.
Each status stands for one or more of the reasons below. Of an IBAN:

${listed(statusesOf(ibanOutcomes))}

Of an account:

${listed(statusesOf(accountOutcomes))}

## Reasons

With \`reason=1\`, \`data.reason\` says why a number is not valid, or what is worth a warning on a valid one.

${listed(Object.entries(reasons).map(([reason, meaning]) => `\`${reason}\`: ${meaning}`))}

## Errors

Every error has the form of \`ErrorAnswer\`; when several apply, the first of these wins: address, key, path, method, content type,
size, names of query parameters, free slots, body, fields in the order of their table.

${listed(errors)}

## Limits

${listed(limits)}

## 503: the service is busy

The service accepts as many requests as it has workers and places in its queue, and refuses any more at once: 503
\`server_busy\` with \`Retry-After: ${retryAfterSeconds}\`. So is what exceeds the rate limit of a key. Nothing was checked or counted: wait as
long as the header says, then send the same request again. Keep one request in flight per connection, and a few connections.`;
