import { strToU8, zipSync } from "fflate";

const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** An XLSX file of sheets, each the XML of its rows; of the strings that its cells share; and of the formats of its styles. */
export function xlsxOf(
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[] = [],
  formats: readonly number[] = [0],
): Buffer {
  const named = Object.keys(sheets)
    .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join("");
  const related = Object.keys(sheets).map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const parts = {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<workbook ${namespaces}><sheets>${named}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join("")}</Relationships>`,
    "xl/styles.xml": `<styleSheet ${namespaces}><cellXfs>${formats.map((format) => `<xf numFmtId="${format}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst ${namespaces}>${strings.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${namespaces}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))),
  );
}

/** A workbook with one sheet, whose cells are shared strings, numbers or, left out, empty. */
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
  return xlsxOf({ a: sheet }, escaped);
}
