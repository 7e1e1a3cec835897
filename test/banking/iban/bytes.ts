/** Puts a text of ASCII characters behind `before` foreign bytes, so that offsets which are not honoured show. */
export function asciiBytes(text: string, before = 0): Uint8Array {
  const bytes = new Uint8Array(before + text.length + before).fill(0x2a);
  for (let at = 0; at < text.length; at++) bytes[before + at] = text.charCodeAt(at);
  return bytes;
}
