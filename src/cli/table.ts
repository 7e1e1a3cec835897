/** Lays rows of cells out under a head, in columns as wide as their widest cell. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
