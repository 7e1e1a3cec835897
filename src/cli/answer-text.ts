/** Turns the bytes of an answer into the text that its JSON is read from. */
export type AnswerText = (bytes: Buffer) => string;

/** The answer's characters. */
export const characters: AnswerText = (bytes) => bytes.toString("utf8");

/**
 * One character for each byte, so that what answers say need neither be decoded nor encoded again.
 *
 * Escapes would become characters all the same, so an answer that has any is written without them first.
 */
export const byteCharacters: AnswerText = (bytes) => {
  const text = bytes.toString("latin1");
  if (!text.includes("\\u")) return text;
  return Buffer.from(JSON.stringify(JSON.parse(bytes.toString("utf8")))).toString("latin1");
};
