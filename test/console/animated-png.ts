import { crc32 } from "node:zlib";

/** One step of an animation: a picture of the whole, or of the part that changes. */
export interface Frame {
  /** A PNG; all frames have the same kind of pixels. */
  readonly png: Buffer;
  /** Where its upper left corner is, in pixels of the first frame. */
  readonly x: number;
  readonly y: number;
  readonly ms: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function* chunksOf(png: Buffer): Generator<readonly [type: string, data: Buffer]> {
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield [png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)];
    at += length + 12;
  }
}

function encodeChunk(type: string, ...data: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), ...data]);
  return Buffer.concat([words(body.length - 4), body, words(crc32(body))]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/**
 * Joins PNG files into one animated PNG that repeats for ever; their compressed pixels are taken as they are.
 *
 * Throws where a frame has another kind of pixels than the first. Source: PNG specification, third edition, sections
 * 11.3.6 and 12.4.
 */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const parts: Buffer[] = [signature];
  let sequence = 0;
  let kind = "";
  for (const [index, { png, x, y, ms }] of frames.entries()) {
    const chunks = [...chunksOf(png)];
    const [, header] = chunks.find(([type]) => type === "IHDR")!;
    kind ||= header.toString("hex", 8);
    if (header.toString("hex", 8) !== kind) throw new Error("the frames have several kinds of pixels");
    if (index === 0) parts.push(encodeChunk("IHDR", header), encodeChunk("acTL", words(frames.length, 0)));
    const timing = Buffer.from([ms >> 8, ms & 0xff, 1_000 >> 8, 1_000 & 0xff, 0, 0]);
    const size = words(header.readUInt32BE(0), header.readUInt32BE(4), x, y);
    parts.push(encodeChunk("fcTL", words(sequence++), size, timing));
    for (const [type, data] of chunks) {
      if (type !== "IDAT") continue;
      parts.push(index === 0 ? encodeChunk("IDAT", data) : encodeChunk("fdAT", words(sequence++), data));
    }
  }
  parts.push(encodeChunk("IEND"));
  return Buffer.concat(parts);
}
