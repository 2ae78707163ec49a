/**
 * A line of CSV (RFC 4180). Spreadsheets would run a text that begins like a formula: it gets an apostrophe. Those whose lists are
 * separated by semicolons or tabs split a quoted cell in the middle of a line, so each of its parts and lines gets one, also a part that
 * is quoted itself.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = cell.replace(/^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?="*[=+\-@＝＋－＠])/g, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
