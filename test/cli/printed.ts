const linesOf = (text: string) => text.trimEnd().split("\n");

/** The columns of each line of a table. */
export const rowsOf = (table: string) => linesOf(table).map((line) => line.split(/ {2,}/));

/** What each line says in JSON. */
export const jsonLines = <Line>(text: string) => linesOf(text).map((line) => JSON.parse(line) as Line);
