/**
 * Converts a DokuWiki text to wikitext:
 *
 *   ===== Leaf =====    == Leaf ==          <code php>…</code>   <syntaxhighlight lang="php">
 *   **a** //b// __c__   '''a''' ''b'' <u>   two spaces before    <pre>
 *     * one             * one               ^ head | cell |      {| … |}
 *   ((note))            <ref>note</ref>     > said               <blockquote>
 *
 * Syntax of plugins that are not in `plugins.ts` is kept as literal text, and reported.
 */
import { escapeText, type InlineTargets, inlineOf, literal } from './inline.ts';
import { withPlugins } from './plugins.ts';
import { plainText, programs, sourceText, takenOut } from './verbatim.ts';

/** Targets of links and media. */
export type Targets = Omit<InlineTargets, 'verbatim' | 'isCell'>;

const heading = /^[ \t]?(={2,6})(?!=)[ \t]*(\S.*?)[ \t]*={2,}[ \t]*$/;
/** Longer lines are no headings. */
const maxHeadingLength = 1000;
const listItem = /^((?: {2}|\t)[ \t]*)([*-])(?!-)[ \t]*(.*)$/;

/** `title`: a first heading with the same words is dropped, because the page shows its title itself. */
export function toWikitext(text: string, title: string, targets: Targets): string {
  const out: string[] = [];
  const { text: rest, verbatim } = takenOut(text, targets);
  blocks(withPlugins(rest, verbatim, targets), { ...targets, verbatim }, out);
  const first = out.findIndex((line) => line !== '');
  if (first >= 0 && out[first] === `== ${title} ==`) out.splice(0, first + 1);
  const kept = out.filter((line, at) => line !== '' || (at > 0 && out[at - 1] !== ''));
  if (kept.at(-1) === '') kept.pop();
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

/** First heading of a text, which DokuWiki uses as title. */
export function titleIn(text: string): string | undefined {
  for (const line of text.slice(0, 20_000).split('\n', 200)) {
    const [, , title] = headingIn(line) ?? [];
    if (title) return title;
  }
  return undefined;
}

function headingIn(line: string): RegExpExecArray | null {
  return line.length > maxHeadingLength ? null : heading.exec(line);
}

function blocks(text: string, targets: InlineTargets, out: string[]): void {
  const lines = text.split('\n');
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) out.push(shielded(inlineOf(paragraph.join('\n'), targets)));
    paragraph = [];
  };
  /** Following lines of the same kind. */
  const run = (at: number, isAlike: (line: string) => boolean): string[] => {
    let end = at;
    while (end < lines.length && isAlike(lines[end] ?? '')) end++;
    return lines.slice(at, end);
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, signs, title] = headingIn(line) ?? [];
    let alike: string[] = [];
    if (signs !== undefined && title !== undefined) {
      endParagraph();
      const level = '='.repeat(Math.max(2, 7 - signs.length));
      out.push('', `${level} ${escapeText(plainText(title, targets.verbatim))} ${level}`);
    } else if (listItem.test(line)) {
      endParagraph();
      alike = run(at, (other) => listItem.test(other));
      out.push(...listOf(alike, targets), '');
    } else if (/^[|^]/.test(line)) {
      endParagraph();
      alike = run(at, (other) => /^[|^]/.test(other));
      out.push(...tableOf(alike, targets), '');
    } else if (/^>/.test(line)) {
      endParagraph();
      alike = run(at, (other) => /^>/.test(other));
      out.push(...quoteOf(alike, targets), '');
    } else if (/^(?: {2}|\t)[ \t]*\S/.test(line) && paragraph.length === 0) {
      alike = run(at, (other) => /^(?: {2}|\t)/.test(other) && !listItem.test(other));
      const lines = alike.map((other) => other.replace(/^(?: {2}|\t)/, '')).join('\n');
      const code = sourceText(lines, targets.verbatim);
      out.push(`<pre>\n${escapeText(code)}\n</pre>`, '');
    } else if (/^-{4,}[ \t]*$/.test(line)) {
      endParagraph();
      out.push('----');
    } else if (line.trim() === '') {
      endParagraph();
      out.push('');
    } else {
      // A program within a paragraph stands between its halves.
      for (const part of programs(line, targets.verbatim)) {
        if (typeof part === 'string') {
          if (part.trim() !== '') paragraph.push(part.trim());
          continue;
        }
        endParagraph();
        out.push(part.wikitext);
      }
    }
    at += Math.max(0, alike.length - 1);
  }
  endParagraph();
}

/** Each line is one there, too. Quotes are nested at most ten deep. */
function quoteOf(lines: readonly string[], targets: InlineTargets, depth = 1): string[] {
  const out = ['<blockquote>'];
  let quoted: string[] = [];
  const endSaid = () => {
    if (quoted.length > 0) out.push(shielded(inlineOf(quoted.join('\\\\\n'), targets)));
    quoted = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/^>[ \t]?/, '');
    if (!line.startsWith('>') || depth >= 10) {
      quoted.push(line.replace(/^(?:>[ \t]?)+/, ''));
      continue;
    }
    endSaid();
    let end = at;
    while (/^>[ \t]?>/.test(lines[end] ?? '')) end++;
    const inner = lines.slice(at, end).map((one) => one.replace(/^>[ \t]?/, ''));
    out.push(...quoteOf(inner, targets, depth + 1));
    at = end - 1;
  }
  endSaid();
  return [...out, '</blockquote>'];
}

/** Escapes characters at the beginning of a line that would start wikitext. */
function shielded(text: string): string {
  return text.replace(/^(?:[*#:;=]|\{\||-{4,}|__(?!NOTOC__))/gm, (signs) => literal(signs));
}

function listOf(lines: readonly string[], targets: InlineTargets): string[] {
  const open: { indent: number; sign: string }[] = [];
  return lines.map((line) => {
    const [, spaces = '', mark, text = ''] = listItem.exec(line) ?? [];
    const indent = spaces.replaceAll('\t', '  ').length;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    open.push({ indent, sign: mark === '*' ? '*' : '#' });
    return `${open.map(({ sign }) => sign).join('')} ${inlineOf(text, targets)}`;
  });
}

interface Cell {
  isHead: boolean;
  text: string;
  colspan: number;
  rowspan: number;
}

function tableOf(lines: readonly string[], targets: InlineTargets): string[] {
  /** Cells of the row above by column, for those that continue in this row. */
  const above: Cell[] = [];
  const rows = lines.map((line) => {
    const row: Cell[] = [];
    let column = 0;
    for (const { isHead, text } of cellsOf(line)) {
      const last = row.at(-1);
      const upper = above[column];
      if (text.trim() === ':::' && upper) upper.rowspan++;
      else if (text === '' && last) {
        last.colspan++;
        above[column] = last;
      } else {
        const cell: Cell = { isHead, text, colspan: 1, rowspan: 1 };
        row.push(cell);
        above[column] = cell;
      }
      column++;
    }
    return row;
  });
  const out = ['{| class="wikitable"'];
  for (const row of rows) {
    out.push('|-');
    for (const { isHead, text, colspan, rowspan } of row) {
      const isAfter = /^ {2}/.test(text);
      const isBefore = / {2}$/.test(text);
      const align = isAfter && isBefore ? 'center' : isAfter ? 'right' : '';
      const attributes = [
        colspan > 1 ? `colspan="${colspan}"` : '',
        rowspan > 1 ? `rowspan="${rowspan}"` : '',
        align ? `style="text-align:${align}"` : '',
      ].filter((part) => part !== '');
      const content = inlineOf(text.trim(), { ...targets, isCell: true }).replace(/^[-+}]/, (sign) =>
        literal(sign),
      );
      out.push(
        `${isHead ? '!' : '|'} ${attributes.length > 0 ? `${attributes.join(' ')} | ` : ''}${content}`,
      );
    }
  }
  return [...out, '|}'];
}

/** Bars within links, media, notes and emphasis do not separate cells. */
function cellsOf(line: string): { isHead: boolean; text: string }[] {
  const cells: { isHead: boolean; text: string }[] = [];
  const part =
    /\[\[[^[\]]{0,1500}\]\]|\{\{[^{}]{0,1500}\}\}|\(\([^()]{0,1500}\)\)|''[^']{0,1500}''|\*\*[^*]{0,1500}\*\*|__[^_]{0,1500}__|[|^]/g;
  let isHead = false;
  let from = -1;
  for (let match = part.exec(line); match; match = part.exec(line)) {
    if (match[0].length > 1) continue;
    if (from >= 0) cells.push({ isHead, text: line.slice(from, match.index) });
    isHead = match[0] === '^';
    from = match.index + 1;
  }
  const rest = line.slice(from);
  if (rest.trim() !== '') cells.push({ isHead, text: rest });
  return cells;
}
