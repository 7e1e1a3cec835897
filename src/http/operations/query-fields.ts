/** Reads the fields of a query; of one sent twice the first counts. Malformed percent-encoding is kept as it stands. */
export function queryFields(query: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) fields[name] ??= value;
  return fields;
}
