/** The beginning of bytes that are read once, and all of them. */
export interface Peeked {
  /** At least as many bytes as were asked for, or all there are; cut at that number. */
  readonly head: Buffer;
  /** Whether the head is all there is. */
  readonly isWhole: boolean;
  readonly all: AsyncIterable<Buffer>;
}

/** Reads the first bytes of a source, and returns them again with the rest. */
export async function peek(source: AsyncIterable<Buffer>, count: number): Promise<Peeked> {
  const rest = source[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  let length = 0;
  let isOver = false;
  // One byte more says whether that is all.
  while (length <= count && !isOver) {
    const { done, value } = await rest.next();
    if (done === true) isOver = true;
    else length += pieces.push(value) && value.length;
  }
  const begin = Buffer.concat(pieces);
  async function* all(): AsyncGenerator<Buffer, void, void> {
    if (begin.length > 0) yield begin;
    while (!isOver) {
      const { done, value } = await rest.next();
      if (done === true) return;
      yield value;
    }
  }
  return { head: begin.subarray(0, count), isWhole: begin.length <= count, all: all() };
}
