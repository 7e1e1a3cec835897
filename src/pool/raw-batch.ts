const openingBrace = 0x7b;
const space = 0x20;
const ibans = Buffer.from('"ibans"');

/** Whether a body begins like that of a batch: `{"ibans"`, with white space as JSON allows it. */
export function beginsLikeBatch(body: Uint8Array): boolean {
  let at = skipSpace(body, 0);
  if (body[at] !== openingBrace) return false;
  at = skipSpace(body, at + 1);
  return ibans.every((byte, index) => body[at + index] === byte);
}

function skipSpace(body: Uint8Array, from: number): number {
  let at = from;
  while (at < body.length && (body[at] === space || (body[at]! >= 9 && body[at]! <= 13))) at++;
  return at;
}
