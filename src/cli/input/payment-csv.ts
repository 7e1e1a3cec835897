import { type PaymentReport, paymentReader } from "../../rows/payment-xml.ts";
import { InputError } from "../../rows/rows.ts";
import { csvQuoter } from "../../rows/verdict.ts";

const quoted = csvQuoter(",");

/** Reads the accounts of a payment message as CSV. Throws an InputError for what is none. */
export async function* paymentAccounts(
  bytes: AsyncIterable<Buffer>,
  report?: PaymentReport,
): AsyncGenerator<Buffer, void, void> {
  const reader = paymentReader((sentence) => new InputError(sentence), report);
  const csvOf = (text: string) =>
    Buffer.from(reader.read(text).reduce((lines, row) => `${lines}${row.map(quoted).join(",")}\n`, ""));
  let decoder: ReturnType<typeof decoderOf> | undefined;
  for await (const piece of bytes) {
    decoder ??= decoderOf(piece);
    yield csvOf(decoder.decode(piece, { stream: true }));
  }
  const last = csvOf(decoder?.decode() ?? "");
  reader.close();
  yield last;
}

/** By the XML declaration; UTF-16 has become UTF-8 before. */
function decoderOf(piece: Buffer): InstanceType<typeof TextDecoder> {
  const declaration = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(
    piece.toString("latin1", 0, 256),
  );
  const [, encoding = "utf-8"] = declaration ?? [];
  try {
    return new TextDecoder(/^utf-?16/i.test(encoding) ? "utf-8" : encoding);
  } catch {
    throw new InputError(
      `The XML file is in the encoding ${encoding}, which is not known; save it in UTF-8.`,
    );
  }
}
