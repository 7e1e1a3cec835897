/** The most IBANs one request may carry. Source: interface specification, section "Limits". */
export const maxBatchIbans = 500;

/** The largest request body. Source: interface specification, section "Limits". */
const maxBodyBytes = 131_072;
const frameBytes = '{"ibans":[]}'.length;
const plain = /^[ !#-[\]-~]*$/;

/** Cuts a source of IBANs into batches that one request can carry: at most 500 entries and 128 KB. */
export async function* batchesOf(
  source: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string[], void, void> {
  let batch: string[] = [];
  let bytes = frameBytes;
  for await (const iban of source) {
    const more = entryBytes(iban);
    if (batch.length === maxBatchIbans || (batch.length > 0 && bytes + more > maxBodyBytes)) {
      yield batch;
      batch = [];
      bytes = frameBytes;
    }
    batch.push(iban);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

/** Whether one request can carry all of these, as far as its size goes. */
export function fitsOneBody(ibans: readonly string[]): boolean {
  return ibans.reduce((bytes, iban) => bytes + entryBytes(iban), frameBytes) <= maxBodyBytes;
}

/** The most bytes an entry takes in the body, with its quotes and comma: any other character may be escaped in six. */
function entryBytes(iban: string): number {
  return (plain.test(iban) ? iban.length : iban.length * 6) + 3;
}
