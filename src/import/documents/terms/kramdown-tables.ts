/** Tables of kramdown that begin with their rows, which Markdown has not: they get a row of empty headings. */

/** Matches rows after an empty line. */
export const tables = /(?<=^|\n[ \t]*\n)(?:[ ]{0,3}\|[^\n]*\|[ \t]*(?:\n|$)){1,500}/g;
const line = /^[ ]{0,3}\|(?:[ \t]*[:=-]-*:?[ \t]*[|+])+[ \t]*$/;

export function withHeading(table: string): string {
  const [first = '', second = ''] = table.split('\n');
  if (line.test(first) || line.test(second)) return table;
  const columns = first.trim().replace(/\\\|/g, '').split('|').length - 2;
  return `|${'   |'.repeat(columns)}\n|${'---|'.repeat(columns)}\n${table}`;
}
