/**
 * Tags of the usual plugins of DokuWiki in terms of HTML: Wrap, Folded, Hidden, Note, Todo, colours, and frames of tables. Each tag
 * becomes a mark like a program, so that a box may hold lists and tables. A tag without its other half stays text.
 */
import { approximate, escapeText, type InlineTargets, mark, type Verbatim } from './inline.ts';

const tag =
  /<(\/?)(wrap|block|div|inline|span|hidden|note|todo|color|fc|fs|fw|ff|bg|sortable|datatables?|searchtable|columns|newcolumn)\b([^<>\n]{0,300})>|^[ \t]*\+{4}(?:[ \t]*(\S[^|\n]{0,300})\|)?[ \t]*$|\+\+([^|+\n][^|\n]{0,300})\|([^\n]{0,1000}?)\+\+/gim;
const boxes: Readonly<Record<string, string>> = {
  info: 'info',
  tip: 'tip',
  important: 'important',
  alert: 'danger',
  danger: 'danger',
  warning: 'warning',
  caution: 'caution',
  notice: 'note',
  help: 'note',
  download: 'note',
  todo: 'note',
  box: 'note',
  safety: 'warning',
  note: 'note',
};
const marked: Readonly<Record<string, string>> = { hi: 'mark', em: 'strong', lo: 'small', del: 'del' };
const colour = /^[ \t]*(#[0-9a-f]{3,8}|[a-z]{3,20})(?:[/ ]|$)/i;

interface Pair {
  before: string;
  after: string;
  isBlock: boolean;
}

interface Found {
  at: number;
  end: number;
  wikitext: string;
  isBlock: boolean;
}

/** Adds to `verbatim`. */
export function withPlugins(
  text: string,
  verbatim: Verbatim[],
  targets: Pick<InlineTargets, 'approximated'>,
): string {
  const found: Found[] = [];
  const open: { name: string; at: number; end: number; pair: Pair }[] = [];
  for (const match of text.matchAll(tag)) {
    const [whole, slash, written = '', rest = '', title, label, inside] = match;
    const [at, end] = [match.index, match.index + whole.length];
    if (label !== undefined) {
      const [before, after] = [`<details><summary>${escapeText(label.trim())}</summary>`, '</details>'];
      const last = end - 2;
      found.push({ at, end: last - (inside ?? '').length, wikitext: before, isBlock: false });
      found.push({ at: last, end, wikitext: after, isBlock: false });
      continue;
    }
    const name = written === '' ? '++++' : written.toLowerCase();
    const isEnd = slash === '/' || (name === '++++' && title === undefined);
    if (!isEnd) {
      const pair = pairOf(name, written, title ?? rest);
      if (rest.trimEnd().endsWith('/') || name === 'newcolumn')
        found.push({ at, end, wikitext: '', isBlock: false });
      else open.push({ name, at, end, pair });
      continue;
    }
    const index = open.findLastIndex((one) => one.name === name);
    const [begun] = index < 0 ? [] : open.splice(index);
    if (!begun) continue;
    const { before, after, isBlock } = begun.pair;
    found.push(
      { at: begun.at, end: begun.end, wikitext: before, isBlock },
      { at, end, wikitext: after, isBlock },
    );
  }
  let out = '';
  let from = 0;
  for (const { at, end, wikitext, isBlock } of found.sort((a, b) => a.at - b.at)) {
    const source = text.slice(at, end);
    out += text.slice(from, at) + mark(verbatim.length);
    from = end;
    verbatim.push({ isProgram: isBlock, plain: '', source, wikitext });
    approximate(targets, `plugin ${/[a-z]+/i.exec(source)?.[0].toLowerCase() ?? 'folded'}`, source, wikitext);
  }
  return out + text.slice(from);
}

function pairOf(name: string, written: string, rest: string): Pair {
  const words = rest.toLowerCase().split(/\s+/).filter(Boolean);
  const element = (before: string, after: string, isBlock = false) => ({ before, after, isBlock });
  switch (name) {
    case '++++':
    case 'hidden': {
      const summary = rest.replace(/\b(?:initialState|onHidden|onVisible|noPrint|editable)\S*/gi, '').trim();
      return element(`<details>\n<summary>${escapeText(summary || 'Hidden')}</summary>`, '</details>', true);
    }
    case 'note':
      return element(boxOf(boxes[words[0] ?? ''] ?? 'note'), '</div>', true);
    case 'todo':
      return element(/#/.test(rest) ? '☑ ' : '☐ ', '');
    case 'color':
    case 'fc': {
      const value = colour.exec(rest)?.[1];
      return element(value === undefined ? '<span>' : `<span style="color:${value}">`, '</span>');
    }
    case 'fs':
    case 'fw':
    case 'ff':
    case 'bg':
      return element('<span>', '</span>');
    case 'wrap':
    case 'block':
    case 'div':
    case 'inline':
    case 'span': {
      // Only WRAP in capitals is a block.
      const isBlock = name === 'block' || name === 'div' || written === 'WRAP';
      const kind =
        words.map((word) => boxes[word]).find((one) => one !== undefined) ??
        (words.some((word) => /^(?:box|round)$/.test(word)) ? 'note' : undefined);
      if (isBlock) return element(kind === undefined ? '<div>' : boxOf(kind), '</div>', true);
      const wanted = words.map((word) => marked[word]).find((one) => one !== undefined) ?? 'span';
      return element(`<${wanted}>`, `</${wanted}>`);
    }
    default:
      return element('', '', true);
  }
}

function boxOf(kind: string): string {
  return `<div class="callout callout-${kind}">`;
}
