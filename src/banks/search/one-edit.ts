/**
 * Whether two words differ by at most one typo: a letter more, less or replaced, or two neighbours exchanged.
 *
 * That is an optimal string alignment distance of at most 1. Linear in the length, no allocation.
 */
export function isWithinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  let endA = a.length;
  let endB = b.length;
  while (endA > same && endB > same && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const leftA = endA - same;
  const leftB = endB - same;
  if (leftA <= 1 && leftB <= 1) return true;
  return (
    leftA === 2 &&
    leftB === 2 &&
    a.charCodeAt(same) === b.charCodeAt(same + 1) &&
    a.charCodeAt(same + 1) === b.charCodeAt(same)
  );
}
