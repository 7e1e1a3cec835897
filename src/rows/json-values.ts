const mayHaveLongNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;
const textOrNumber = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/g;
const maxExactLength = 15;

/** JavaScript would round a long number, which is then another one in CSV. */
export function withLongNumbersAsText(line: string): string {
  if (!mayHaveLongNumber.test(line)) return line;
  return line.replace(textOrNumber, (token) => {
    const isExact = token.length <= maxExactLength && Number.isFinite(Number(token));
    return token.startsWith('"') || isExact || String(Number(token)) === token ? token : `"${token}"`;
  });
}
