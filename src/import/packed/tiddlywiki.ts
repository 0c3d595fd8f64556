/** TiddlyWiki: a file of HTML, an export in JSON, or tiddlers in files. Each tiddler becomes a page, in Markdown. */
import { percentDecoded } from '#core/model/path.ts';
import { outsideCode } from '../documents/terms/tags.ts';
import type { Approximation } from '../source.ts';
import type { Unpacking } from './unpacked-tree.ts';

type Tiddler = Readonly<Record<string, string>>;

const ending: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
};
const isText = /^(?:|text\/vnd\.tiddlywiki|text\/x-tiddlywiki|text\/plain|text\/x-markdown|text\/markdown)$/;

/** Undefined if the text is neither a wiki nor an export of tiddlers. */
export function tiddlersIn(text: string): Tiddler[] | undefined {
  // Here and below, what has no end reaches to the end of the text, so that it is not searched again for each beginning.
  const stores = [
    ...text.matchAll(
      /<script class="tiddlywiki-tiddler-store" type="application\/json">([\s\S]*?)(<\/script>|$)/g,
    ),
  ].filter(([, , end]) => end !== '');
  if (stores.length > 0) return stores.flatMap(([, json = '']) => listOf(json) ?? []);
  const area = /<div id="storeArea"[^>]*>/.exec(text);
  if (area) return fromDivisions(text.slice(area.index + area[0].length));
  return text.trimStart().startsWith('[') ? listOf(text) : undefined;
}

/** A file `.tid`: fields, an empty line, the text. */
export function tiddlerOf(text: string): Tiddler {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const fields = head.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return { ...Object.fromEntries(fields), text: end < 0 ? '' : text.slice(end + 2) };
}

function listOf(json: string): Tiddler[] | undefined {
  try {
    const list: unknown = JSON.parse(json);
    if (!Array.isArray(list)) return undefined;
    const tiddlers = list.filter((one): one is Tiddler => typeof one?.title === 'string');
    return tiddlers.length > 0 || list.length === 0 ? tiddlers : undefined;
  } catch {
    // Other JSON, or a damaged file: no tiddlers.
    return undefined;
  }
}

function fromDivisions(html: string): Tiddler[] {
  const found = html.matchAll(/<div\b([^<>]{1,5000})>\s*<pre>([^<]*)<\/pre>\s*<\/div>/g);
  return [...found].map(([, attributes = '', text = '']) => ({
    ...Object.fromEntries(
      [...attributes.matchAll(/([\w.-]+)="([^"]*)"/g)].map(([, name, value]) => [name, decoded(value ?? '')]),
    ),
    text: decoded(text),
  }));
}

function decoded(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

export async function unpackTiddlers(tiddlers: readonly Tiddler[], to: Unpacking): Promise<void> {
  const own = tiddlers.filter(({ title = '' }) => title !== '' && !title.startsWith('$:/'));
  const system = tiddlers.filter(({ title = '' }) => title.startsWith('$:/')).length;
  if (system > 0)
    to.leftOut.push({ source: '$:/…', why: `tiddlers of the program itself are left out (${system})` });
  const files = new Map<string, string>();
  for (const { title = '', type = '', text = '' } of own) {
    if (isText.test(type)) continue;
    const known = ending[type] ?? '.txt';
    const path = to.free('files/', title.replace(/\.\w{1,5}$/, ''), known);
    files.set(title, path);
    const isBinary = known !== '.svg' && known !== '.txt';
    await to.add(path, isBinary ? Buffer.from(text, 'base64') : text);
  }
  const titles = new Set(own.map(({ title = '' }) => title));
  for (const { title = '', type = '', text = '', tags = '', created = '', modified = '' } of own) {
    if (!isText.test(type)) continue;
    const list = [...tags.matchAll(/\[\[([^\]]+)\]\]|(\S+)/g)].map(([, long, short]) => long ?? short ?? '');
    const facts = {
      title,
      tags: list.length > 0 ? list : undefined,
      created: timeOf(created),
      updated: timeOf(modified),
    };
    const body = type.includes('markdown')
      ? outsideCode(text, (part) => linksToTiddlers(part, titles))
      : type === 'text/plain'
        ? `\`\`\`\n${text}\n\`\`\``
        : toMarkdown(text, files, titles);
    const isOther = type === 'text/plain' || type.includes('markdown');
    const kept = isOther ? [] : [...programsIn(body), ...spansIn(text)];
    await to.addPage(to.free('', title, '.md'), facts, body, { approximated: kept });
  }
}

/** Macros, widgets and filters, which only the program itself carries out. */
function programsIn(body: string): Approximation[] {
  const found: Approximation[] = [];
  outsideCode(body, (part) => {
    for (const [before, macro, widget] of part.matchAll(
      /<<([\w.-]{1,60})[^<>]{0,300}>>|<(\$[\w.-]{1,60})\b[^<>]{0,300}>|\{\{\{[^{}]{1,300}\}\}\}|\{\{[^{}\n]{1,300}\}\}/g,
    )) {
      const name = macro ? `macro <<${macro}>>` : widget ? `widget <${widget}>` : 'filter or field in braces';
      found.push({ construct: `${name}, which stays as it is written`, before, after: before });
    }
    return part;
  });
  return found.slice(0, 1000);
}

/** Cells that continue their neighbours, `|>|`, `|<|` and `|~|`, which stay cells of their own. */
function spansIn(text: string): Approximation[] {
  return Array.from(text.matchAll(/^\|(?:.*\|)?[><~]\|.*$/gm), ([before]) => ({
    construct: 'cell over several columns or rows, which stays as it is written',
    before,
    after: before,
  })).slice(0, 1000);
}

/** `20240305101112000` in the form of ISO 8601. */
function timeOf(text: string): string | undefined {
  const [, year, month, day, hour, minute, second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?/.exec(text) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}

/** Markup of TiddlyWiki in Markdown; macros and widgets stay as they are written. */
export function toMarkdown(
  text: string,
  files: ReadonlyMap<string, string>,
  titles: ReadonlySet<string> = new Set(),
): string {
  return outsideCode(
    text.replace(
      /^\\(?:define|procedure|function)\b[\s\S]*?(^\\end\b.*$|$(?![\s\S]))/gm,
      (macro, end: string) => (end === '' ? macro : `\`\`\`\n${macro}\n\`\`\``),
    ),
    (part) => {
      const quoted = part.replace(
        /^<<<[^\n]*\n([\s\S]*?)(?:\n<<<([^\n]*)$|$(?![\s\S]))/gm,
        (whole, inner: string, cite: string | undefined) => {
          if (cite === undefined) return whole;
          const lines = [...inner.split('\n'), ...(cite.trim() === '' ? [] : ['', `— ${cite.trim()}`])];
          return lines.map((line) => `> ${line}`).join('\n');
        },
      );
      const lines = withoutStyles(quoted).split('\n').map(lineOf);
      return withTables(lines)
        .join('\n')
        .replace(/\[\[((?:[a-z][a-z0-9+.-]*:\/\/|mailto:)[^[\]|\n\s]{1,1000})\]\]/gi, '<$1>')
        .replace(
          /\[ext\[(?:([^[\]|\n]{1,300})\|)?([^[\]\n]{1,1000})\]\]/g,
          (_, label: string | undefined, target: string) => `[${label ?? target}](<${target}>)`,
        )
        .replace(
          /(?<![\p{L}\p{N}[|/<"=])(~?)(\p{Lu}+\p{Ll}+\p{Lu}[\p{L}\p{N}]*)(?![\p{L}\p{N}]|[^[\n]{0,500}\]\])/gu,
          (whole, tilde: string, word: string) => (tilde ? word : titles.has(word) ? `[[${word}]]` : whole),
        )
        .replace(
          /\[img(?:[ \t]+[^[\]\n]{1,200})?\[(?:([^[\]|\n]{1,300})\|)?([^[\]\n]{1,500})\]\]/g,
          (_, alt: string | undefined, target: string) => `![${alt ?? ''}](<${files.get(target) ?? target}>)`,
        )
        .replace(/\[\[([^[\]|\n]{1,500})\|([^[\]\n]{1,1000})\]\]/g, (_, label: string, target: string) =>
          /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target) ? `[${label}](<${target}>)` : `[[${target}|${label}]]`,
        )
        .replace(/\{\{([^{}|\n]{1,300})(?:\|\|[^{}\n]{0,300})?\}\}/g, (whole, target: string) =>
          /!!|##|^\$/.test(target) ? whole : `![[${target}]]`,
        )
        .replace(/''(?=\S)([^\n]{1,1000}?)''/g, '**$1**')
        .replace(/(?<![:/\w])\/\/(?=[^\s/])([^\n]{0,1000}?[^\s:])\/\/(?!\w)/g, '*$1*')
        .replace(/__(?=\S)([^\n_]{1,500})__/g, '<u>$1</u>')
        .replace(/\^\^([^\n^]{1,200})\^\^/g, '<sup>$1</sup>')
        .replace(/,,([^\n,]{1,200}),,/g, '<sub>$1</sub>');
    },
  );
}

function lineOf(line: string): string {
  const [, marks = ''] = /^(!{1,6})/.exec(line) ?? [];
  if (marks !== '') return `${'#'.repeat(marks.length)} ${line.slice(marks.length).trim()}`;
  const [, items = ''] = /^([*#>;:]{1,20})(?=[ \t]*\S)/.exec(line) ?? [];
  const last = items.at(-1);
  if (items === '' || (items[0] === '>' && last === '>')) return line;
  if (last !== '*' && last !== '#') return last === ';' ? `**${line.slice(items.length).trim()}**` : line;
  if (line.startsWith('**') && /^\*\*\S.*\*\*/.test(line)) return line;
  const indent = [...items.slice(0, -1)].map((mark) => (mark === '#' ? '   ' : '  ')).join('');
  return `${indent}${last === '#' ? '1.' : '-'} ${line.slice(items.length).trim()}`;
}

/** Styles show their text, `\"\"\"` keeps line ends, and `$$$` shows a text as it is. */
function withoutStyles(text: string): string {
  return text
    .replace(/^@@[^@\n]{0,200}\n([\s\S]*?)(?:\n@@()$|$(?![\s\S]))/gm, (whole, inner, end) =>
      end === undefined ? whole : inner,
    )
    .replace(/@@(?:[\w-]{1,40}:[^;@\n]{1,100};|\.[\w-]{1,60} )*([^@\n]{1,1000})@@/g, '$1')
    .replace(/^"""\n([\s\S]*?)(?:\n"""()$|$(?![\s\S]))/gm, (whole, inner: string, end) =>
      end === undefined ? whole : inner.replace(/(?<=\S)\n(?=\S)/g, '\\\n'),
    )
    .replace(/^\$\$\$[^\n]{0,100}\n([\s\S]*?)(?:\n\$\$\$()$|$(?![\s\S]))/gm, (whole, inner, end) =>
      end === undefined ? whole : `\`\`\`\n${inner}\n\`\`\``,
    );
}

/** Links of Markdown to tiddlers: `[label](#A%20title)`. */
function linksToTiddlers(text: string, titles: ReadonlySet<string>): string {
  return text.replace(
    /(?<!!)\[([^[\]\n]{1,500})\]\(#([^()\s]{1,500})\)/g,
    (whole, label: string, target: string) => {
      const title = percentDecoded(target) ?? '';
      return titles.has(title) ? `[[${title}|${label}]]` : whole;
    },
  );
}

/** A table needs a first row of headings here. */
function withTables(lines: readonly string[]): string[] {
  const out: string[] = [];
  const isRow = (line: string | undefined) => /^\|.*\|[hfck]?$/.test(line ?? '');
  for (const [at, line] of lines.entries()) {
    if (!isRow(line)) {
      out.push(line);
      continue;
    }
    if (/\|k$/.test(line)) continue;
    if (line.endsWith('|c')) {
      // A caption stands before its table, or behind it, where it ends the table.
      if (isRow(lines[at - 1])) out.push('');
      out.push(`*${line.slice(1, -2).trim()}*`, '');
      continue;
    }
    const cells = line
      .replace(/\|[hf]?$/, '')
      .slice(1)
      .split(/\|(?![^[|]{0,1000}\]\])/);
    const row = `| ${cells.map((cell) => cell.replace(/^!/, '').trim()).join(' | ')} |`;
    const rule = `| ${cells.map(() => '---').join(' | ')} |`;
    if (isRow(lines[at - 1]) && !/\|[kc]$/.test(lines[at - 1] ?? '')) out.push(row);
    else if (/^\|!/.test(line) || line.endsWith('|h')) out.push(row, rule);
    else out.push(`| ${cells.map(() => ' ').join(' | ')} |`, rule, row);
  }
  return out;
}
