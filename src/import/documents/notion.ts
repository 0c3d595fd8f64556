/**
 * Notion exports: file names end with the page ID; fields of database pages are between title and text; a database is a CSV
 * table beside the folder of its pages.
 */
import { Problem } from '#core/model/problem.ts';
import { readCsv } from './csv.ts';
import { type DocumentText, manyElements } from './html.ts';

const id = / ?[0-9a-f]{32}$/;
const field = /^([^:\n]{1,100}):(?: (.*))?$/;
const isLikeName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ()/&-]{0,40}$/u;
/** A page of a relation, with its address or path. */
const relation =
  /([^,\n]{1,300}?) \(((?:https:\/\/(?:www\.)?notion\.so\/|[^\s()]{0,500}%20)[^\s()]{0,500}[0-9a-f]{32}[^\s()]{0,60})\)(?=,|$)/gm;

export function withoutId(name: string): string {
  return name.replace(id, '') || name;
}

export function isOfNotion(paths: readonly string[]): boolean {
  return paths.some((path) => / [0-9a-f]{32}\.(?:md|html|csv)$/.test(path));
}

/** Key of a page by the ID that ends its file name, with or without hyphens. */
export function idIn(path: string): string | undefined {
  return /([0-9a-f]{32})(?:\.\w+)?$/.exec(path)?.[1];
}

/** ID of the page that an address of Notion names: `https://www.notion.so/Oak-1f…c2?pvs=21`. */
export function idInAddress(address: string): string | undefined {
  return /^https:\/\/(?:[\w-]+\.)?notion\.(?:so|site|com)\/(?:[^?#]*[/-])?([0-9a-f]{32})(?:[?#]|$)/.exec(
    address,
  )?.[1];
}

/**
 * The lines `Field: value` after the title become page data in a page of a database; everywhere else they are text. `columns`:
 * those of the database, whose names alone begin a field.
 */
export function readNotionPage(written: string, columns: ReadonlySet<string> | undefined): DocumentText {
  const text = withCallouts(withoutIndentation(written));
  const [, heading = '', block = '', rest = ''] =
    /^(# .*\n+)((?:[^\n]+\n)+)(\n[\s\S]*|)$/.exec(`${text}\n`) ?? [];
  const fields: [name: string, value: string][] = [];
  for (const line of columns ? block.trimEnd().split('\n') : []) {
    const [, name = '', value = ''] = field.exec(line) ?? [];
    const last = fields.at(-1);
    // Views of the database, which are exported, may hide columns.
    if (columns?.has(name) || (fields.length > 0 && isLikeName.test(name)))
      fields.push([name, value.replace(relation, '$1')]);
    else if (last && last[1] !== '') last[1] += `\n${line}`;
    else return { text };
  }
  if (fields.length === 0) return { text };
  return { text: `${heading.trimEnd()}\n${rest}`.trimEnd(), data: Object.fromEntries(fields) };
}

/** Blocks within others are indented by four spaces, which would be code. Code of Notion always has fences. */
function withoutIndentation(text: string): string {
  let [isList, fence, base] = [false, '', 0];
  return text
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (fence === '') {
        if (indent < base) [base, isList] = [0, false];
        if (!isList && indent - base >= 4) base = indent - (indent % 4);
        if (indent - base < 2) isList = /^ *(?:[-*+]|\d{1,9}[.)])(?: |$)/.test(line);
      }
      const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
      if (fence === '') fence = mark;
      else if (mark.startsWith(fence)) fence = '';
      return line.slice(Math.min(base, indent));
    })
    .join('\n');
}

const isIcon = /^\s*<img src="https:\/\/(?:www\.)?notion\.so\/icons\/[^<>]*>\s*$/;

/** Callouts, which Notion writes between the lines `<aside>` and `</aside>`, as boxes. */
function withCallouts(text: string): string {
  if (!text.includes('<aside>')) return text;
  const out: string[] = [];
  let fence = '';
  let box: string[] | undefined;
  for (const line of text.split('\n')) {
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    if (box === undefined && fence === '' && line.trim() === '<aside>') box = [];
    else if (box && line.trim() === '</aside>') {
      out.push(
        '> [!note]',
        ...trimmed(box.filter((one) => !isIcon.test(one))).map((one) => (one === '' ? '>' : `> ${one}`)),
      );
      box = undefined;
    } else (box ?? out).push(line);
  }
  // A box that does not end stays as it was written.
  return [...out, ...(box ? ['<aside>', ...box] : [])].join('\n');
}

function trimmed(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

/**
 * A table whose first column links to the pages of its rows, if they exist. `pageOf`: path from the top. Refuses `invalid` for too
 * many cells.
 */
export function tableOf(
  csv: string,
  pageOf: (row: Readonly<Record<string, string>>) => string | undefined,
  separator = ',',
): DocumentText {
  const table = readCsv(csv, separator);
  if (!table) throw new Problem('invalid', manyElements);
  const [head = [], ...rows] = table;
  if (head.length === 0) return { text: '' };
  const escaped = (text: string) =>
    text
      .trim()
      .replace(/[\\|[\]<`*_{$]/g, '\\$&')
      .replace(/(?<!\s)\s*\n\s*/g, '<br>');
  const cell = (text: string) => {
    let at = 0;
    let out = '';
    for (const match of text.matchAll(relation)) {
      out += `${escaped(text.slice(at, match.index)).replace(/,$/, ', ')}[${escaped(match[1] ?? '')}](<${match[2]}>)`;
      at = match.index + match[0].length;
    }
    return out + escaped(text.slice(at));
  };
  const line = (cells: string[]) => `| ${head.map((_, index) => cells[index] ?? '').join(' | ')} |`;
  const body = rows
    .filter((row) => row.some((one) => one.trim() !== ''))
    .map((row) => {
      const [first = '', ...others] = row;
      const page = pageOf(Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
      // These characters would end the path, or mean another one.
      const path = page?.replace(/[%#?<>]/g, encodeURIComponent);
      return line([
        path === undefined ? escaped(first) : `[${escaped(first) || 'Untitled'}](<${path}>)`,
        ...others.map(cell),
      ]);
    });
  return { text: [line(head.map(escaped)), line(head.map(() => '---')), ...body, ''].join('\n') };
}
