/**
 * Notion exports: file names end with the page ID; fields of database pages are between title and text; a database is a CSV
 * table beside the folder of its pages.
 */
import type { Element, ElementContent, Root } from 'hast';
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
  if (block === '' || fields.some((one) => one === null)) return { text: withCallouts(written) };
  const data = Object.fromEntries(fields.map((one) => [one?.[1] ?? '', one?.[2] ?? '']));
  return { text: withCallouts(`${heading.trimEnd()}\n${rest}`.trimEnd()), data };
}

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
      out.push('> [!note]', ...trimmed(box).map((one) => (one === '' ? '>' : `> ${one}`)));
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

/** Callouts and tasks of an export as HTML. Modifies the tree. */
export function inMarkdownTerms(node: Root | Element): void {
  node.children = (node.children as ElementContent[]).map((child) => {
    if (child.type !== 'element') return child;
    const isCallout = child.tagName === 'figure' && classesOf(child).includes('callout');
    if (isCallout) {
      const title = { ...child, tagName: 'p', properties: {}, children: [markdown('[!note]')] };
      Object.assign(child, { tagName: 'blockquote', properties: {}, children: [title, ...child.children] });
    }
    if (classesOf(child).includes('checkbox')) {
      const properties = { type: 'checkbox', checked: classesOf(child).includes('checkbox-on') };
      return { type: 'element', tagName: 'input', properties, children: [] };
    }
    inMarkdownTerms(child);
    return child;
  });
}

function markdown(value: string): Element {
  return {
    type: 'element',
    tagName: 'x-raw',
    properties: { value },
    children: [{ type: 'text', value }],
  };
}

function classesOf({ properties: { className } }: Element): string[] {
  return Array.isArray(className) ? className.map(String) : [];
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
