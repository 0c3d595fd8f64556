/**
 * The words of a text in DokuWiki's syntax, and its headings, list items, rows, pictures and notes. Approximate: links without a
 * text of their own, plugins and macros show words that only DokuWiki knows, so these count for nothing.
 */
import { type Shown, wordsIn } from './shown.ts';

const isPicture = /\.(?:gif|jpe?g|png|svg|webp)$/i;

/** `title`: a first heading with the same words is the title of the page, not a part of its text. */
export function shownInDokuWiki(source: string, title: string): Shown {
  const counted = { headings: 0, 'list items': 0, rows: 0, pictures: 0, notes: 0, 'blocks of code': 0 };
  const { rest, verbatim, blocks } = withoutVerbatim(source);
  counted['blocks of code'] = blocks;
  const text = rest
    .replace(/^ ?={2,6}([^=\n]{1,1000})={2,6}[ \t]*$/m, (line, words: string, at: number) =>
      words.trim() === title && rest.slice(0, at).trim() === '' ? '' : line,
    )
    .replace(/~~[^~\n]{1,200}~~/g, ' ')
    .replace(/\{\{([^{}\n]{1,1000})\}\}/g, (_, inside: string) => {
      const [target = '', label = ''] = inside.split('|', 2);
      const isShown = isPicture.test(target.replace(/\?.*$/s, '').trim());
      if (isShown && !target.includes('>')) counted.pictures++;
      return isShown || target.includes('>') ? '' : label;
    })
    .replace(/\[\[([^[\]\n|]{0,1000})(?:\|([^[\]\n]{0,1000}))?\]\]/g, (_, _target, label = '') => label)
    .replace(/\(\(/g, () => {
      counted.notes++;
      return ' ';
    })
    .replace(/<\/?[a-z][^<>\n]{0,200}>/gi, '')
    .replace(/\\\\(?=\s)/g, ' ')
    .replace(/\b[a-z]{2,20}:\/\/\S+/gi, '');
  for (const line of text.split('\n')) {
    if (/^ ?={2,6}[^=].*={2,6}\s*$/.test(line)) counted.headings++;
    else if (/^(?: {2}|\t)\s*[*-](?!-)/.test(line)) counted['list items']++;
    else if (/^[|^].*[|^]\s*$/.test(line)) counted.rows++;
  }
  return { words: wordsIn(`${text}\n${verbatim.join('\n')}`).join(' '), parts: counted };
}

/** Texts that are shown as they are written; programs show their result instead. `blocks`: code that begins a line. */
export function withoutVerbatim(source: string): { rest: string; verbatim: string[]; blocks: number } {
  const opening =
    /<(code|file|nowiki|html|php|sxh|ditaa|graphviz|dot|uml|plantuml|mermaid|aafigure|gnuplot|wavedrom|abc|nomnoml)\b[^<>\n]{0,200}>|%%/gi;
  const unclosed = new Set<string>();
  const verbatim: string[] = [];
  let rest = '';
  let blocks = 0;
  let from = 0;
  for (let match = opening.exec(source); match; match = opening.exec(source)) {
    const [mark, name] = match;
    const closing = name === undefined ? '%%' : `</${name}>`;
    const end = unclosed.has(closing) ? -1 : source.indexOf(closing, opening.lastIndex);
    if (end < 0) {
      unclosed.add(closing);
      continue;
    }
    if (!/^(?:html|php)$/i.test(name ?? '')) verbatim.push(source.slice(match.index + mark.length, end));
    if (
      /^(?:code|file)$/i.test(name ?? '') &&
      /(?:^|\n)$/.test(source.slice(Math.max(0, match.index - 1), match.index))
    )
      blocks++;
    rest += `${source.slice(from, match.index)} `;
    from = opening.lastIndex = end + closing.length;
  }
  return { rest: rest + source.slice(from), verbatim, blocks };
}
