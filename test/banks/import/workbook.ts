import { strToU8, zipSync } from "fflate";

/** A workbook of Excel with one sheet, whose cells are shared strings, numbers or, left out, empty. */
export function workbook(rows: readonly (readonly (string | number | undefined)[])[]): Buffer {
  const strings: string[] = [];
  const cell = (value: string | number | undefined, column: number, row: number): string => {
    if (value === undefined) return "";
    const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (typeof value === "number") return `<c r="${reference}"><v>${value}</v></c>`;
    const index = strings.push(value) - 1;
    return `<c r="${reference}" t="s"><v>${index}</v></c>`;
  };
  const lines = rows
    .map((row, at) => ({ at, cells: row.map((value, column) => cell(value, column, at)).join("") }))
    .filter(({ cells }) => cells !== "");
  const sheet = lines.map(({ at, cells }) => `<row r="${at + 1}">${cells}</row>`).join("");
  const escaped = strings.map((text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  return Buffer.from(
    zipSync({
      "[Content_Types].xml": strToU8("<Types/>"),
      "xl/workbook.xml": strToU8(
        '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/></sheets></workbook>',
      ),
      "xl/_rels/workbook.xml.rels": strToU8(
        '<Relationships><Relationship Id="1" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      "xl/sharedStrings.xml": strToU8(
        `<sst>${escaped.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
      ),
      "xl/worksheets/sheet1.xml": strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    }),
  );
}
