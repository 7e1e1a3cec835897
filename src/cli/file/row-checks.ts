import type { RequestSender } from "../../client/sender.ts";
import { fieldsOfRow } from "../../rows/csv-rows.ts";
import { decoded, encoded } from "../../rows/encoding.ts";
import type { Layout } from "../../rows/layout.ts";
import { shortened } from "../../rows/read-number.ts";
import { makeRenderer, type OutputRow } from "../../rows/render.ts";
import { badRow, csvQuoter, selectedColumns } from "../../rows/verdict.ts";
import type { RowBlock } from "./blocks.ts";
import { rowsQuestion } from "./rows-question.ts";
import type { FileRequest } from "./run-state.ts";

/** The columns that rows are counted by; every question has them. */
const countedColumns = ["valid", "reason"];

/**
 * Prepares the check of the rows of a file: `check` asks the service for the added columns of each of their numbers by a
 * row of CSV, of its number and the fields to check, and joins them to its own copy of the row. Nothing else leaves the
 * machine.
 *
 * It rejects with a BankcheckError, also for an answer that does not have exactly one row for each row sent, in order.
 */
export function rowChecks(sender: RequestSender, layout: Layout, request: FileRequest) {
  const { format = layout.format, outputDelimiter, generates, suggests, only, badRows } = request;
  const added = selectedColumns(request);
  const written = format === "csv" ? (outputDelimiter ?? layout.dialect.delimiter) : ",";
  // The service takes no other as a separator.
  const delimiter = /^[ -~\t]$/.test(written) ? written : ",";
  const names = added.map(({ name }) => name);
  const surplus = countedColumns.filter((name) => !names.includes(name));
  const asked = [...surplus, ...names];
  const [validAt = 0, reasonAt = 0] = countedColumns.map((name) => asked.indexOf(name));
  /** The columns whose fields are sent. */
  const columns = [...new Set(layout.numbers.flatMap((number) => number.columns))];
  /** A question about a number in each row: its path, and where its fields are among those that are sent. */
  const questions = layout.numbers.map((number) => {
    const places = number.columns.map((column) => columns.indexOf(column));
    const options =
      number.kind === "account" ? ["kontonummer_column", "blz_column"] : ["column", "bic_column"];
    const query = new URLSearchParams({
      header: "0",
      delimiter: delimiter === "\t" ? "tab" : delimiter,
      ...Object.fromEntries(places.map((_, place) => [options[place]!, String(place + 2)])),
      fields: asked.join(),
      ...(suggests ? { suggest: "1" } : {}),
      ...(generates ? { sepa: "1" } : {}),
    });
    return { path: `/v1/stream?${query}`, places };
  });
  // The values of JSON are in UTF-8 by now.
  const encoding = layout.format === "ndjson" ? undefined : layout.encoding;
  const quoted = csvQuoter(delimiter);
  const special = delimiter.replace(/[\\\]^-]/g, "\\$&");
  const plain = new RegExp(`^[^"\\0\\r\\n\\u0080-\\uffff${special}]{0,100}$`);
  const renderer = makeRenderer(layout, {
    ...request,
    columns: added,
    language: "en",
    format,
    delimiter: outputDelimiter,
    addedDelimiter: delimiter,
  });

  const sentField = (field: string): string => {
    if (plain.test(field)) return field;
    // A text with a zero is refused as a whole; no number has any other control character either.
    return quoted(encoded(shortened(decoded(field, encoding)).replaceAll("\0", "\u0001")));
  };

  /** Resolves with the answer to each row, which has as many of the fields as there are columns. */
  const ask = async (
    { path, places }: (typeof questions)[number],
    fields: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const asked: string[] = [];
    for (let row = 0; row < fields.length; row += columns.length) {
      let question = String(asked.length + 1);
      for (const place of places) question += delimiter + sentField(fields[row + place]!);
      asked.push(question);
    }
    return asked.length === 0 ? [] : sender.send({ path, signal, ...rowsQuestion(asked, delimiter) });
  };

  /** Neither `valid` nor `reason` has a separator in it. */
  const withoutSurplus = (answer: string): string => {
    let from = 0;
    for (const _ of surplus) from = answer.indexOf(delimiter, from) + 1;
    return answer.slice(from);
  };

  const check = async ({ rows, fields, next, prefix }: RowBlock, signal: AbortSignal) => {
    const answers = await Promise.all(questions.map((question) => ask(question, fields, signal)));
    const reasons: Record<string, number> = {};
    const warnings: Record<string, number> = {};
    const count = (counted: Record<string, number>, reason: string) => {
      counted[reason] = (counted[reason] ?? 0) + 1;
    };
    const joined: OutputRow[] = [];
    /** The rows that go to the file of rejected ones, as they are in the input. */
    let rejectedRows = "";
    let valid = 0;
    let checked = 0;
    let bad = 0;
    for (const row of rows) {
      if (row.fault !== undefined) {
        bad++;
        count(reasons, badRow);
        if (badRows.kind === "reject") rejectedRows += `${row.text}\n`;
        else if (only !== "valid") joined.push({ row });
      } else if (row.count === 0) {
        if (only === undefined) joined.push({ row });
      } else {
        const place = checked++;
        const found = answers.map((answer) => {
          const values = fieldsOfRow(answer[place]!, delimiter);
          return { isValid: values[validAt] === "true", reason: values[reasonAt] ?? "" };
        });
        const isValid = found.every((finding) => finding.isValid);
        for (const finding of found) if (!finding.isValid) count(reasons, finding.reason);
        const warned = isValid ? found.find(({ reason }) => reason !== "") : undefined;
        if (warned !== undefined) count(warnings, warned.reason);
        if (isValid) valid++;
        if (only === undefined || (only === "valid") === isValid)
          joined.push({
            row,
            added: answers.map((answer) => withoutSurplus(answer[place]!)).join(delimiter),
          });
      }
    }
    const all = checked + bad;
    const counts = { rows: all, valid, invalid: all - valid, bad, reasons, warnings };
    // Without the rows, which would fill the memory while an earlier block is waited for.
    return { position: { ...next, prefix }, bytes: renderer.rows(joined), rejectedRows, counts };
  };

  return { columns, keepsFields: renderer.needsFields, head: renderer.head(), check };
}
