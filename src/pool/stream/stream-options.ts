import { checkOptions } from "../../contract/check-options.ts";
import { RequestError } from "../../contract/errors.ts";
import { message } from "../../contract/message.ts";
import { streamFieldNames } from "../../contract/schema/answer-schemas.ts";
import { addedColumns } from "../../rows/verdict.ts";
import { flagsOf, queryOf, type TaskRequest } from "../requests.ts";
import type { StreamQuestion } from "./stream-task.ts";

/** How many columns of a row are checked at most. */
const maxStreamColumns = 8;

/** Returns the options of a stream: the flags of its blocks, and its question. Throws as `taskOf` does. */
export function streamOptionsOf(
  request: Pick<TaskRequest, "query" | "language">,
  { input, output }: Pick<StreamQuestion, "input" | "output">,
): { readonly flags: number; readonly question: StreamQuestion } {
  const given = queryOf("stream", request.query);
  const fields = given.fields === undefined ? undefined : [...new Set(given.fields.split(","))];
  const flags = checkOptions
    .filter((option) => option.fields.some((field) => fields?.includes(field)))
    .reduce((all, { flag }) => all | flag, flagsOf("stream", request));
  const known =
    output === "csv"
      ? addedColumns({ generates: false, suggests: true }).map(({ name }) => name)
      : streamFieldNames;
  const unknown = fields?.find((field) => !known.includes(field));
  if (unknown !== undefined) {
    const named = { field: JSON.stringify(unknown), fields: known.join(", ") };
    throw new RequestError("invalid_request", { field: "fields", message: message("stream_fields", named) });
  }
  const columns = new URLSearchParams(request.query).getAll("column");
  if (columns.length > maxStreamColumns) {
    const bound = message("stream_columns", { max: maxStreamColumns });
    throw new RequestError("invalid_request", { field: "column", message: bound });
  }
  const { bic_column, kontonummer_column, blz_column, header, delimiter } = given;
  return {
    flags,
    question: {
      input,
      output,
      fields,
      withoutSummary: given.summary === "0",
      columns: {
        column: columns,
        bicColumn: bic_column,
        kontonummerColumn: kontonummer_column,
        blzColumn: blz_column,
        delimiter: delimiter === "tab" ? "\t" : delimiter,
        header: header && header === "1",
      },
    },
  };
}
