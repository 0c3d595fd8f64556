/**
 * Converts what MkDocs' extensions add to Markdown to boxes, bold titles, and elements:
 *
 *   /// note | Title       === "Tab"      ++ctrl+c++  ^^new^^  {--old--}  {~~a~>b~~}  {>>why<<}
 *   text                       text       :material-clock:  `#!py print()`  *[HTML]: Hyper Text
 *   ///                                   <figure markdown> … </figure>
 */
import type { Approximation } from '../../source.ts';
import { withAbbreviations } from './abbreviations.ts';
import { boxOf, outsideCode, outsideFences, undented } from './tags.ts';

const maxDepth = 20;
const boxes: Readonly<Record<string, string>> = {
  attention: 'warning',
  error: 'danger',
  hint: 'tip',
};
const opening = /^([ \t]{0,200})(\/{3,})[ \t]*([a-z][\w-]{0,40})(?:[ \t]*\|[ \t]*(.*?))?[ \t]*$/i;
const tab = /^([ \t]{0,200})={3}[!+]{0,2}[ \t]+"(.*)"[ \t]*$/;
const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?(`{3,}|~{3,})(.*)$/;
const keys =
  /(?<![\\+\w])\+\+((?:[a-z0-9][\w-]{0,40}|"[^"\n]{1,40}")(?:\+(?:[a-z0-9][\w-]{0,40}|"[^"\n]{1,40}")){0,8})\+\+(?!\+)/gi;
const icon =
  /:(?:material|fontawesome|octicons|simple)-[a-z0-9][a-z0-9-]{1,80}:(?:\{[^{}\n]{0,200}\})?[ \t]?/g;
const languageOfSpan = /(?<!`)(`{1,3})[ \t]?(?:#!|:::)[A-Za-z][\w+-]{0,30}[ \t]+(?=[^`\n]{1,1000}`)/g;
const markdownInside =
  /^([ \t]*<(figure|div|section|details|article|aside|center|p|figcaption)\b[^<>\n]{0,300}?)[ \t]markdown(?:="[^"\n]*")?([^<>\n]{0,300}>)[ \t]*\n((?:(?![ \t]*<\/?\2\b).*\n){0,500}?)[ \t]*(?=<\/\2>)/gm;

type Named = (construct: string, before: string, after: string) => string;

export function fromMkDocs(text: string, approximated: Approximation[]): string {
  const named: Named = (construct, before, after) => {
    approximated.push({ construct, before: before.slice(0, 500), after: after.slice(0, 500) });
    return after;
  };
  const numbers = new Map<string, number>();
  const blocks = withBlocks(text.split('\n'), { named, numbers, depth: 0 }).join('\n');
  const spans = outsideFences(blocks, (part) =>
    part.replace(languageOfSpan, (before, ticks: string) => named('language of code', before, ticks)),
  );
  const inline = outsideCode(spans, (part) => withElements(part, named));
  return withAbbreviations(inline, named);
}

interface Around {
  named: Named;
  /** Number of captions of each kind. */
  numbers: Map<string, number>;
  depth: number;
}

/** Blocks and tabs outside fenced code. */
function withBlocks(lines: readonly string[], around: Around): string[] {
  const out: string[] = [];
  const ends = around.depth < maxDepth ? endsOf(lines) : new Map<number, number>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const end = ends.get(at);
    if (end === undefined) {
      out.push(line);
      continue;
    }
    const [, lead = '', , name = '', title = ''] = opening.exec(line) ?? [];
    const isBlock = name !== '';
    const inner = lines
      .slice(at + 1, end)
      .map((one) => (one.startsWith(lead) ? one.slice(lead.length) : one.trimStart()));
    const within = { ...around, depth: around.depth + 1 };
    const after = isBlock ? blockOf(name.toLowerCase(), title, inner, within) : tabOf(line, inner, within);
    const last = isBlock ? end : end - 1;
    around.named(isBlock ? `block ${name}` : 'tab', lines.slice(at, last + 1).join('\n'), after.trim());
    const indent = isBlock ? lead : (tab.exec(line)?.[1] ?? '');
    for (const one of after.split('\n')) out.push(one === '' ? '' : indent + one);
    at = last;
  }
  return out;
}

/** Index of the line that ends the block which begins at a line; for a tab, of the line behind it. Only outermost ones. */
function endsOf(lines: readonly string[]): Map<number, number> {
  const found: [at: number, end: number][] = [];
  const open: { at: number; slashes: string }[] = [];
  let code: string | undefined;
  let tabEnd = 0;
  for (const [at, line] of lines.entries()) {
    const [, mark, info = ''] = fence.exec(line) ?? [];
    if (code !== undefined) {
      if (mark?.startsWith(code) && info.trim() === '') code = undefined;
      continue;
    }
    if (mark !== undefined && !info.includes('`')) {
      code = mark;
      continue;
    }
    const slashes = /^[ \t]*(\/{3,})[ \t]*$/.exec(line)?.[1];
    if (slashes !== undefined) {
      const from = open.findLastIndex((one) => one.slashes === slashes);
      if (from < 0) continue;
      const begun = open[from]?.at ?? at;
      open.length = from;
      // Inner blocks are found when this one is converted.
      while ((found.at(-1)?.[0] ?? -1) > begun) found.pop();
      found.push([begun, at]);
      continue;
    }
    const begun = opening.exec(line)?.[2];
    if (begun !== undefined && open.length < 100) open.push({ at, slashes: begun });
    else if (at >= tabEnd && tab.test(line)) {
      tabEnd = endOfTab(lines, at);
      found.push([at, tabEnd]);
    }
  }
  return new Map(found);
}

function endOfTab(lines: readonly string[], at: number): number {
  const indent = widthOf(lines[at] ?? '') + 4;
  let end = at + 1;
  for (let next = end; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (line.trim() === '') continue;
    if (widthOf(line) < indent) break;
    end = next + 1;
  }
  return end;
}

function widthOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

function tabOf(line: string, inner: string[], around: Around): string {
  const title = tab.exec(line)?.[2] ?? '';
  return `**${title}**\n\n${convertedIn(inner, around)}\n`;
}

function convertedIn(inner: readonly string[], around: Around): string {
  return withBlocks(undented(inner.join('\n')).split('\n'), around)
    .join('\n')
    .trim();
}

function blockOf(name: string, title: string, lines: readonly string[], around: Around): string {
  const options = lines.findIndex((line) => !/^ {4,}[\w-]+:/.test(line));
  const count = options < 0 ? lines.length : options;
  const given = new Map(
    lines.slice(0, count).map((line) => {
      const [key = '', ...value] = line.split(':');
      return [key.trim(), value.join(':').trim()] as const;
    }),
  );
  const inner = convertedIn(lines.slice(count), around);
  const kind = given.get('type') ?? (name === 'admonition' || name === 'details' ? 'note' : name);
  switch (name) {
    case 'html':
      return `\n${inner}\n`;
    case 'tab':
      return `\n**${title || 'Tab'}**\n\n${inner}\n`;
    case 'define':
    case 'definition':
      return `\n${definitions(inner)}\n`;
    case 'caption':
    case 'figure-caption':
    case 'table-caption': {
      const whole = `${captionNumber(name, title, around.numbers)}${inner}`;
      return `\n${/[\n*_]/.test(whole) ? whole : `*${whole}*`}\n`;
    }
    default: {
      const isOpen = /^true$/i.test(given.get('open') ?? '');
      const fold = name === 'details' ? (isOpen ? '+' : '-') : '';
      return boxOf(boxes[kind] ?? kind, title || undefined, inner).replace(']', `]${fold}`);
    }
  }
}

/** Figures and tables are numbered; a level, as in `^1`, needs the numbers of those above it. */
function captionNumber(name: string, given: string, numbers: Map<string, number>): string {
  const [, number] = /^<?[ \t]*(\d+(?:\.\d+)*)?$/.exec(given) ?? [];
  if (name === 'caption' || given.includes('^')) return '';
  const next = (numbers.get(name) ?? 0) + 1;
  numbers.set(name, next);
  return `${name === 'table-caption' ? 'Table' : 'Figure'} ${number ?? next}. `;
}

/** Items are meanings of the paragraph above them. */
function definitions(inner: string): string {
  return inner
    .split('\n')
    .map((line) => line.replace(/^[-*+][ \t]+/, ':   ').replace(/^ {2}(?=\S)/, '    '))
    .join('\n');
}

function withElements(text: string, named: Named): string {
  return text
    .replace(/\{\+\+([^{}]{1,2000}?)\+\+\}/g, (before, words: string) =>
      named('suggestion', before, `<ins>${words}</ins>`),
    )
    .replace(/\{--([^{}]{1,2000}?)--\}/g, (before, words: string) =>
      named('suggestion', before, `<del>${words}</del>`),
    )
    .replace(/\{~~([^{}]{1,2000}?)~>([^{}]{0,2000}?)~~\}/g, (before, old: string, words: string) =>
      named('suggestion', before, `<del>${old}</del><ins>${words}</ins>`),
    )
    .replace(/\{==([^{}]{1,2000}?)==\}/g, (before, words: string) =>
      named('suggestion', before, `==${words}==`),
    )
    .replace(/\{>>([^{}]{1,2000}?)<<\}/g, (before, words: string) =>
      named('suggestion', before, ` <small>${words.trim()}</small>`),
    )
    .replace(/\^\^(?=\S)([^^\n]{1,1000}?)(?<=\S)\^\^/g, (before, words: string) =>
      named('insertion', before, `<ins>${words}</ins>`),
    )
    .replace(keys, (before, inside: string) =>
      named(
        'keys',
        before,
        inside
          .split('+')
          .map((key) => `<kbd>${keyName(key)}</kbd>`)
          .join('+'),
      ),
    )
    .replace(icon, (before) => named('icon', before, ''))
    .replace(markdownInside, (...[before = '', head = '', , rest = '', inner = '']: string[]) =>
      named('Markdown within HTML', before, `${head}${rest}\n\n${undented(inner)}\n\n`),
    );
}

function keyName(key: string): string {
  if (key.startsWith('"')) return key.slice(1, -1);
  const short: Readonly<Record<string, string>> = {
    ctrl: 'Ctrl',
    cmd: 'Cmd',
    del: 'Del',
    esc: 'Esc',
    ins: 'Ins',
  };
  return (
    short[key.toLowerCase()] ??
    key
      .split('-')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' ')
  );
}
