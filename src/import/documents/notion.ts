/**
 * Notion exports: file names end with the page ID; fields of database pages are between title and text; a database is a CSV
 * table beside the folder of its pages.
 */
import type { DocumentText } from './html.ts';

const id = / ?[0-9a-f]{32}$/;
const field = /^([^:\n]{1,100}): (.*)$/;

export function withoutId(name: string): string {
  return name.replace(id, '') || name;
}

export function isOfNotion(paths: readonly string[]): boolean {
  return paths.some((path) => / [0-9a-f]{32}\.(?:md|html|csv)$/.test(path));
}

/** Converts lines `Field: value` after the title to page data. */
export function readNotionPage(written: string): DocumentText {
  const [, heading = '', block = '', rest = ''] =
    /^(# .*\n+)((?:[^\n#>|-][^\n]*\n)+)(\n[\s\S]*|)$/.exec(`${written}\n`) ?? [];
  const fields = block
    .trimEnd()
    .split('\n')
    .map((line) => field.exec(line));
  if (block === '' || fields.some((one) => one === null)) return { text: written };
  const data = Object.fromEntries(fields.map((one) => [one?.[1] ?? '', one?.[2] ?? '']));
  return { text: `${heading.trimEnd()}\n${rest}`.trimEnd(), data };
}

/** A table whose first column links to the pages of its rows, if they exist. `pageOf`: relative path. */
export function tableOf(csv: string, pageOf: (name: string) => string | undefined): DocumentText {
  const [head = [], ...rows] = readCsv(csv.replace(/^\uFEFF/, ''));
  const cell = (text: string) =>
    text
      .trim()
      .replace(/[\\|[\]<`*_{$]/g, '\\$&')
      .replace(/\s*\n\s*/g, '<br>');
  const line = (cells: string[]) => `| ${head.map((_, index) => cells[index] ?? '').join(' | ')} |`;
  const body = rows.map((row) => {
    const [first = '', ...others] = row;
    const page = pageOf(first.trim());
    return line([page === undefined ? cell(first) : `[${cell(first)}](<${page}>)`, ...others.map(cell)]);
  });
  return { text: [line(head.map(cell)), line(head.map(() => '---')), ...body, ''].join('\n') };
}

/** Parses CSV (RFC 4180). */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [whole, quoted, plain = '', end = ''] = match;
    if (whole === '' && rows.at(-1)?.length === 0) break;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
