import type { Difference } from "../../banks/import/compare.ts";
import type { PreparedImport } from "../../banks/import/import-file.ts";
import { columns } from "../program.ts";

const shownKeys = 8;

/** The report of an import for people. */
export function readableImport(prepared: PreparedImport): string {
  const { edition, form, encoding, rows, base, difference, suspicion } = prepared;
  const until = edition.validUntil === undefined ? "" : ` until ${edition.validUntil}`;
  const lines = [
    `${edition.source}: ${form}, ${encoding}`,
    `Valid from ${edition.validFrom}${until}; ${count(rows, "row")}, ${count(difference.after, "entry", "entries")}.`,
    base === undefined ? "The first edition of its kind." : `Compared with the edition ${base.validFrom}:`,
    ...differenceLines(difference, shownKeys),
  ];
  if (edition.dataset === "blz") lines.push(...germanLines(prepared));
  if (suspicion !== undefined) lines.push(`Suspicious: ${suspicion}.`);
  return `${lines.join("\n")}\n`;
}

/** The difference of two editions for people; `most` keys of each kind are shown. */
export function differenceLines(difference: Difference, most: number): string[] {
  const { added, removed, changed, changedKeys, locationsAdded, locationsRemoved } = difference;
  const lines = [
    `  added    ${some(added, most)}`,
    `  removed  ${some(removed, most)}`,
    `  changed  ${some(changedKeys, most)}`,
  ];
  if (locationsAdded + locationsRemoved > 0) {
    lines.push(`  further locations: ${locationsAdded} added, ${locationsRemoved} removed`);
  }
  if (changed.size === 0) return lines;
  const rows = [...changed].map(([field, { count, examples }]) => {
    const { key, before, after } = examples[0]!;
    return [`  ${field}`, String(count), `${key}: ${before || "(empty)"} → ${after || "(empty)"}`];
  });
  return [...lines, columns(["  FIELD", "CHANGED", "FOR EXAMPLE"], rows).trimEnd()];
}

function germanLines({ unknownMethods, rulesKept, rulesUnknown }: PreparedImport): string[] {
  const methods = [...unknownMethods].map(
    ([method, codes]) => `${method || "(none)"} (${count(codes, "bank code")})`,
  );
  const lines = [`Unknown check-digit methods: ${methods.join(", ") || "none"}.`];
  if (rulesKept + rulesUnknown > 0) {
    lines.push(
      `The file has no IBAN rules: ${rulesKept} are kept from the edition before, ${rulesUnknown} are unknown.`,
    );
  }
  return lines;
}

function some(keys: readonly string[], most: number): string {
  const shown = keys.slice(0, most).join(", ");
  const rest = keys.length > most ? `, and ${keys.length - most} more` : "";
  return keys.length === 0 ? "0" : `${keys.length}: ${shown}${rest}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
