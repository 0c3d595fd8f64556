/** Tables in CSV (RFC 4180), as spreadsheets and databases write them. */

const maxCells = 2_000_000;

/** Separator of a table: programs of countries with a decimal comma write semicolons. The first line that has one decides. */
export function separatorOf(csv: string): string {
  // Excel states it in a line of its own.
  const stated = statedSeparator.exec(csv)?.[1];
  if (stated !== undefined) return stated;
  for (const signs of [',;\t', '|']) {
    let counts = new Map<string, number>();
    let isQuoted = false;
    for (const sign of csv) {
      if (sign === '"') isQuoted = !isQuoted;
      else if (!isQuoted && signs.includes(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
      else if (!isQuoted && sign === '\n') {
        if (counts.size > 0) break;
        counts = new Map();
      }
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (most) return most[0];
  }
  return ',';
}

const statedSeparator = /^\uFEFF?sep=([,;\t|])\r?\n/i;

/**
 * Rows of equal length. A quotation mark within a cell, or one that is never closed, is text. Undefined if the table has more cells
 * than a page can show.
 */
export function readCsv(text: string, separator = ','): string[][] | undefined {
  const source = text.replace(statedSeparator, '').replace(/^\uFEFF/, '');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  let isClosed = true;
  const plain = new RegExp(`[^${separator}\\r\\n]*`, 'y');
  while (at < source.length) {
    let cell = '';
    const end = isClosed && source[at] === '"' ? endOfQuoted(source, at + 1) : 0;
    if (end > 0) {
      cell = source.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else if (end < 0) isClosed = false;
    plain.lastIndex = at;
    const [more = ''] = plain.exec(source) ?? [];
    row.push(cell + more);
    at += more.length;
    if (source[at] === separator) {
      at++;
      // The last cell of the text is empty.
      if (at === source.length) row.push('');
      continue;
    }
    if (at < source.length) at += source.startsWith('\r\n', at) ? 2 : 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (columns * rows.length > maxCells) return undefined;
  return rows.map((cells) => [...cells, ...Array<string>(columns - cells.length).fill('')]);
}

/** Place of the quotation mark that ends the cell; negative if there is none. */
function endOfQuoted(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
