/**
 * Reads documents in Textile, as sites of Jekyll may have them, as Markdown.
 *
 *   h2(#id). Bark          ## Bark {#id}         "Elm(title)":/elm     [Elm](</elm> "title")
 *   * a                    - a                   !oak.png(An oak)!     ![An oak](<oak.png>)
 *   ** b                     - b                 *b* _i_ -d- @c@       **b** *i* ~~d~~ `c`
 *   |_. Tree |_. m |       | Tree | m |          Text[1]               Text[^1]
 */
import { readFrontMatter } from '@coppice/markdown';

const signature =
  /^(h[1-6]|p|bq|bc|pre|notextile|fn\d{1,4}|###|div|table)((?:\([^()\n]{0,100}\)|\{[^{}\n]{0,300}\}|\[[\w-]{1,20}\]|[<>=()]){0,6})\.(\.?)(?::(\S{1,500}))?(?:[ \t]+|\n|$)/;
const item = /^([*#]{1,20})(?:\([^()\n]{0,100}\)|\{[^{}\n]{0,300}\})?[ \t]+(.*)$/;

export function textileToMarkdown(text: string): string {
  const end = readFrontMatter(text)?.end ?? 0;
  const blocks = blocksIn(text.slice(end));
  const out: string[] = [];
  /** Signature that holds until the next one. */
  let extended: string | undefined;
  for (const block of blocks) {
    const [mark = '', name, attributes = '', isExtended, source] = signature.exec(block) ?? [];
    const kind = name ?? extended ?? 'p';
    if (name !== undefined) extended = isExtended ? name : undefined;
    const inner = block.slice(mark.length).replace(/^\n/, '');
    const isMore = name === undefined && extended !== undefined;
    out.push(blockOf({ kind, attributes, inner, source, isMore }));
  }
  const body = out
    .join('\n\n')
    .replace(/\n```\n\n\0\n/g, '\n\n')
    .replaceAll('\0', '');
  return `${text.slice(0, end)}${body}${body.endsWith('\n') ? '' : '\n'}`;
}

/** Separated by blank lines, but for `<pre>` and other elements that keep theirs. */
function blocksIn(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let raw: string | undefined;
  for (const line of text.split('\n')) {
    raw ??= /^<(pre|notextile|script|style)\b/i.exec(line)?.[1]?.toLowerCase();
    if (line.trim() === '' && raw === undefined) {
      if (lines.length > 0) blocks.push(lines.join('\n'));
      lines = [];
    } else lines.push(line);
    if (raw !== undefined && line.toLowerCase().includes(`</${raw}>`)) raw = undefined;
  }
  if (lines.length > 0) blocks.push(lines.join('\n'));
  return blocks;
}

interface Block {
  kind: string;
  attributes: string;
  inner: string;
  source: string | undefined;
  /** Whether an extended signature (`bq..`, `bc..`) above it holds for this block, too. */
  isMore: boolean;
}

function blockOf({ kind, attributes, inner, source, isMore }: Block): string {
  const id = /\([^()]*#([\w-]{1,100})[^()]*\)/.exec(attributes)?.[1];
  if (/^h[1-6]$/.test(kind))
    return `${'#'.repeat(Number(kind[1]))} ${inlineOf(inner).replace(/(?<!\s)\s*\n\s*/g, ' ')}${id ? ` {#${id}}` : ''}`;
  if (kind === 'bc' || kind === 'pre') return `${isMore ? '\0\n' : '```\n'}${inner}\n\`\`\``;
  if (kind === 'notextile') return inner;
  if (kind === '###') return '';
  if (kind.startsWith('fn')) return `[^${kind.slice(2)}]: ${inlineOf(inner)}`;
  const flow = flowOf(inner);
  if (kind !== 'bq') return flow;
  const cited = source === undefined ? flow : `${flow}\n\n<${source}>`;
  const quoted = cited.replace(/^/gm, '> ').replace(/^> $/gm, '>');
  return isMore ? `>\n${quoted}` : quoted;
}

/** Paragraphs, lists, tables and elements. A line end is a line break, as in Textile. */
function flowOf(text: string): string {
  if (/^<notextile>[\s\S]*<\/notextile>$/i.test(text)) return text.slice(11, -12);
  if (/^<[a-z!/]/i.test(text)) return text;
  if (/^[ \t]*(?:-{3,}|\*{3,})[ \t]*$/.test(text)) return '---';
  const lines = text.split('\n');
  if (item.test(lines[0] ?? '')) return listOf(lines);
  if (/^\|.*\|[ \t]*$/.test(lines.find((line) => !line.startsWith('table')) ?? '')) return tableOf(lines);
  if (lines.every((line) => /^- .+ :=/.test(line)))
    return lines
      .map((line) =>
        line.replace(
          /^- (.+?)[ \t]*:=[ \t]*(.*?)(?:[ \t]*=:)?$/,
          (_, term: string, meaning: string) => `${inlineOf(term)}\n: ${inlineOf(meaning)}`,
        ),
      )
      .join('\n\n');
  return inlineOf(text).replace(/(?<![ \t])[ \t]*\n/g, '  \n');
}

function listOf(lines: readonly string[]): string {
  const out: string[] = [];
  /** Width of the markers above an item. */
  const widths: number[] = [];
  for (const line of lines) {
    const [, marks = '', words = ''] = item.exec(line) ?? [];
    if (marks === '') {
      out[out.length - 1] +=
        `  \n${' '.repeat(widths.reduce((sum, width) => sum + width, 0))}${inlineOf(line.trim())}`;
      continue;
    }
    const marker = marks.endsWith('#') ? '1.' : '-';
    widths.length = Math.min(widths.length, marks.length - 1);
    const indent = ' '.repeat(widths.reduce((sum, width) => sum + width, 0));
    widths.push(marker.length + 1);
    out.push(`${indent}${marker} ${inlineOf(words)}`);
  }
  return out.join('\n');
}

const mostCells = 100_000;
const mostSpanned = 20;

function tableOf(lines: readonly string[]): string {
  const rows = lines
    .filter((line) => line.includes('|'))
    .map((line) =>
      line
        .replace(/^[^|]*\|/, '')
        .replace(/\|[ \t]*$/, '')
        .split('|')
        .map((cell) => {
          const [mark = '', signs = ''] =
            /^((?:_|[\\/]\d{1,2}|[<>=^~]|\([^()\n]{0,100}\)|\{[^{}\n]{0,300}\}){1,8})\.[ \t]/.exec(cell) ??
            [];
          const span = Math.min(mostSpanned, Number(/\\(\d{1,2})/.exec(signs)?.[1] ?? 1));
          return { isHead: signs.includes('_'), span, text: inlineOf(cell.slice(mark.length).trim()) };
        }),
    );
  const isHeaded = rows[0]?.every(({ isHead }) => isHead) === true;
  const written = rows.map((row) =>
    row.flatMap(({ text, isHead, span }) => {
      const shown = isHead && !(isHeaded && row === rows[0]) && text !== '' ? `**${text}**` : text;
      return [shown, ...Array(Math.max(0, span - 1)).fill('')];
    }),
  );
  const widest = written.reduce((most, row) => Math.max(most, row.length), 1);
  // Filled up with empty cells, such a table could become many times as long as its text.
  const isHuge = widest * rows.length > mostCells;
  const filled = (cells: readonly string[]) => Array.from({ length: widest }, (_, at) => cells[at] ?? '');
  const lineOf = (cells: readonly string[]) => `| ${(isHuge ? cells : filled(cells)).join(' | ')} |`;
  const [head = [], ...body] = isHeaded ? written : [[], ...written];
  return [lineOf(head), `|${'---|'.repeat(widest)}`, ...body.map(lineOf)].join('\n');
}

const verbatim =
  /@(?=\S)([^@\n]{1,1000}?)(?<=\S)@(?![\p{L}\p{N}])|==([^=\n]{1,1000}?)==|<(code|pre|notextile)>([\s\S]{0,5000}?)<\/\3>|"([^"\n]{1,1000}?)(?:[ ]?\(([^()"\n]{1,300})\))?":((?:\{%[^%\n]{1,500}%\}|\{\{[^{}\n]{1,500}\}\}|[^\s<>"{}]){0,999}(?:\{%[^%\n]{1,500}%\}|\{\{[^{}\n]{1,500}\}\}|[^\s<>".,;:!?)\]{}'|]))|!(?:[<>=]|\([^()!\n]{0,100}\)|\{[^{}!\n]{0,300}\}){0,3}([^\s!()]{1,500})(?:\(([^()!\n]{0,300})\))?!(?::([^\s<>"]{1,1000}[^\s<>".,;:!?)\]}'|]))?|\{\{[^{}\n]{1,1000}\}\}|\{%[^%\n]{1,1000}%\}|<[a-z/!][^<>\n]{0,1000}>|https?:[^\s<>"]{1,1000}/giu;

export function inlineOf(text: string): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(verbatim)) {
    const [written, code, raw, element, inElement = '', label, title, address, picture, alt, goal] = match;
    out += phrases(text.slice(at, match.index));
    at = match.index + written.length;
    if (code !== undefined) out += codeOf(code);
    else if (raw !== undefined) out += raw;
    else if (element !== undefined) out += /notextile/i.test(element) ? inElement : codeOf(inElement);
    else if (address !== undefined) {
      const goal = address.includes('{') ? address : `<${address}>`;
      out += `[${inlineOf(label ?? '')}](${goal}${titleOf(title)})`;
    } else if (picture !== undefined) {
      const shown = `![${(alt ?? '').replace(/[[\]\\]/g, '\\$&')}](<${picture}>)`;
      out += goal === undefined ? shown : `[${shown}](<${goal}>)`;
    } else out += written;
  }
  return out + phrases(text.slice(at));
}

function titleOf(title: string | undefined): string {
  return title === undefined ? '' : ` "${title.replaceAll('"', '\\"')}"`;
}

function codeOf(text: string): string {
  const ticks = text.includes('`') ? '``' : '`';
  return ticks.length > 1 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

const marks: Readonly<Record<string, readonly [string, string]>> = {
  '**': ['**', '**'],
  __: ['*', '*'],
  '??': ['<cite>', '</cite>'],
  '*': ['**', '**'],
  _: ['*', '*'],
  '-': ['~~', '~~'],
  '+': ['<ins>', '</ins>'],
  '^': ['<sup>', '</sup>'],
  '~': ['<sub>', '</sub>'],
  '%': ['', ''],
};
const phrase =
  /(?:(\[)|(?<![\p{L}\p{N}*_?+^~%-]))(\*\*|__|\?\?|[*_+^~%-])(?:\([^()\n]{1,100}\)|\{[^{}\n]{1,300}\}){0,2}(?=[^\s*_?+^~%-])([^\n]{1,500}?)(?<=\S)\2(?:(\])|(?![\p{L}\p{N}*_?+^~%-]))/gu;

function phrases(text: string, depth = 0): string {
  return text
    .replace(phrase, (...[whole = '', open, mark = '', inside = '', close]: string[]) => {
      if (depth > 3 || (open === undefined) !== (close === undefined)) return whole;
      const [before, after] = marks[mark] ?? ['', ''];
      return `${before}${phrases(inside, depth + 1)}${after}`;
    })
    .replace(/\[(\d{1,4})\](?!\()/g, '[^$1]')
    .replace(
      /\b([A-Z][A-Z0-9]{1,20})\(([^()\n]{1,200})\)/g,
      (_, short: string, meaning: string) =>
        `<abbr title="${meaning.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">${short}</abbr>`,
    )
    .replace(/\((c|r|tm)\)/gi, (_, sign: string) => ({ c: '©', r: '®', tm: '™' })[sign.toLowerCase()] ?? '');
}
