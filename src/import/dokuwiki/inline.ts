/**
 * Converts DokuWiki's inline text to wikitext: emphasis, links, media, footnotes. Characters with a meaning in wikitext are
 * escaped.
 */
import type { Approximation } from '../source.ts';

export interface InlineTargets {
  /** Wikitext target of a link to a page, with fragment. */
  page(written: string): string;
  /** Path of a file; undefined if there is none. */
  file(written: string): string | undefined;
  approximated: Approximation[];
  /** Parts that marks stand for. */
  verbatim: readonly Verbatim[];
  /** Whether bars would end the text. */
  isCell?: boolean;
}

/** Text taken as it stands, or a program. */
export interface Verbatim {
  isProgram: boolean;
  plain: string;
  source: string;
  wikitext: string;
}

/** Matches the mark of a verbatim part, with its index. */
export const markOf = /\uE000(\d+)\uE001/g;

export function mark(index: number): string {
  return `\uE000${index}\uE001`;
}

const token =
  /\uE000(\d+)\uE001|\(\(|\)\)|\[\[([^[\]\n]{1,1500})\]\]|\{\{([^{}\n]{1,1500})\}\}|(?:https?|ftp):\/\/[^\s<>"|[\]{}]{1,2000}|<([^\s<>@]{1,64}@[^\s<>]{1,255})>|\*\*|\/\/|__|''|\\\\(?=\s|$)|<\/?(?:sub|sup|del)>|<\/?[a-z][^<>\n]{0,500}>|~~[A-Za-z][^~\n]{0,200}~~|\{\{+|\}\}+|\[\[+|\]\]+|<(?=[a-z!/])|&(?=[#\w]{1,30};)|~{3,}/giu;
const marks: Readonly<Record<string, readonly [string, string, string]>> = {
  '**': ["'''", "'''", '**'],
  '//': ["''", "''", '//'],
  __: ['<u>', '</u>', '__'],
  "''": ['<code>', '</code>', "''"],
  '((': ['<ref>', '</ref>', '))'],
};
const pictures = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;
const otherWikis: Readonly<Record<string, string>> = {
  wp: 'https://en.wikipedia.org/wiki/',
  doku: 'https://www.dokuwiki.org/',
};
const macros: Readonly<Record<string, string>> = { '~~NOTOC~~': '__NOTOC__', '~~NOCACHE~~': '' };

/** Signs that DokuWiki shows as others, outside headings (`conf/entities.conf`). */
const typography = new Map([
  ['<->', '↔'],
  ['->', '→'],
  ['<-', '←'],
  ['<=>', '⇔'],
  ['=>', '⇒'],
  ['<=', '⇐'],
  ['>>', '»'],
  ['<<', '«'],
  ['---', '—'],
  ['--', '–'],
  ['...', '…'],
]);
const typographic = /<-?->?|<=>?|[=-]>|<<|>>|(?<!-)---?(?!-)|(?<!\.)\.{3}(?!\.)/g;

export function inlineOf(text: string, targets: InlineTargets): string {
  const matcher = new RegExp(token);
  const open: string[] = [];
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  const plain = (part: string) => {
    const shown = part.replace(typographic, (sign) => typography.get(sign) ?? sign);
    return targets.isCell ? shown.replaceAll('|', '&#124;') : shown;
  };
  const withoutMarks = (part: string) =>
    part.replace(markOf, (_, index) => targets.verbatim[Number(index)]?.plain ?? '');
  const closes = (close: string): number => {
    if (unclosed.has(close)) return -1;
    const at = text.indexOf(close, matcher.lastIndex);
    if (at < 0) unclosed.add(close);
    return at;
  };
  for (let match = matcher.exec(text); match; match = matcher.exec(text)) {
    const [whole, held, link, media, mail] = match;
    out += plain(text.slice(from, match.index));
    const start = match.index;
    if (held !== undefined) out += targets.verbatim[Number(held)]?.wikitext ?? '';
    else if (link !== undefined) out += linkOf(withoutMarks(link), targets);
    else if (media !== undefined) out += mediaOf(withoutMarks(media), targets);
    else if (mail !== undefined) out += `[mailto:${mail} ${mail}]`;
    else if (whole === '))' || marks[whole]) {
      const key = whole === '))' ? '((' : whole;
      const [before, after, close] = marks[key] as readonly [string, string, string];
      const isOpen = open.includes(key);
      if (isOpen && whole === close) {
        out += after;
        open.splice(open.lastIndexOf(key), 1);
      } else if (!isOpen && whole === key && closes(close) >= 0) {
        out += before;
        open.push(key);
      } else out += whole === "''" || whole === '__' ? literal(whole) : whole;
    } else if (whole === '\\\\') out += '<br>';
    else if (/^<\/?(?:sub|sup|del)>$/i.test(whole)) out += whole.toLowerCase();
    else if (whole.startsWith('~~') && whole.endsWith('~~') && /\w/.test(whole)) {
      const known = macros[whole];
      out += known ?? literal(whole);
      if (known !== '__NOTOC__') approximate(targets, 'macro', whole, known ?? whole);
    } else if (/^(?:https?|ftp):/i.test(whole)) out += whole;
    else {
      out += literal(whole);
      const [, plugin] = /^<\/?([a-z][\w-]*)/i.exec(whole) ?? [];
      if (plugin && whole.endsWith('>')) approximate(targets, `plugin ${plugin.toLowerCase()}`, whole, whole);
    }
    from = Math.max(matcher.lastIndex, start);
  }
  out += plain(text.slice(from));
  for (const key of open.reverse()) out += marks[key]?.[1] ?? '';
  return out;
}

/** Plain text in `<nowiki>`, so that nothing in it is read as markup. */
export function literal(text: string): string {
  return `<nowiki>${escapeText(text)}</nowiki>`;
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function approximate(
  targets: Pick<InlineTargets, 'approximated'>,
  construct: string,
  before: string,
  after: string,
): void {
  targets.approximated.push({ construct, before: before.slice(0, 200), after: after.slice(0, 200) });
}

function linkOf(inside: string, targets: InlineTargets): string {
  const bar = inside.indexOf('|');
  const target = (bar < 0 ? inside : inside.slice(0, bar)).trim();
  const label = bar < 0 ? '' : inside.slice(bar + 1).trim();
  const picture = /^\{\{([^{}]{1,1000})\}\}$/.exec(label)?.[1];
  if (/^(?:https?|ftp):\/\//i.test(target)) return external(target, label, picture, targets);
  if (/^[^\s@:]+@[^\s@:]+\.\w+$/.test(target)) return `[mailto:${target} ${shown(label || target)}]`;
  const [, wiki, rest = ''] = /^([\w.-]{1,40})>(.*)$/.exec(target) ?? [];
  if (wiki !== undefined) {
    const base = otherWikis[wiki.toLowerCase()];
    if (base) return external(base + encodeURI(rest.replace(/ /g, '_')), label || rest, undefined, targets);
    const text = label || target;
    approximate(targets, 'link to another wiki', `[[${inside}]]`, text);
    return literal(text);
  }
  if (target.startsWith('\\\\')) {
    approximate(targets, 'link to a share', `[[${inside}]]`, target);
    return literal(label || target);
  }
  const name =
    target
      .replace(/#.*$/, '')
      .replace(/[:/]+$/, '')
      .split(/[:/]/)
      .at(-1)
      ?.replace(/^\.+(?=.)/, '') || target.replace(/^#/, '');
  const page = targets.page(target);
  if (picture === undefined) return `[[${page}|${shown(label || name)}]]`;
  return mediaOf(`${picture.split('|', 1)[0]}|${name}`, targets, page);
}

function external(url: string, label: string, picture: string | undefined, targets: InlineTargets): string {
  const address = url.replace(/[\s[\]<>"]/g, encodeURIComponent);
  if (picture === undefined)
    return label === '' ? `[${address} ${escapeText(url)}]` : `[${address} ${shown(label)}]`;
  return mediaOf(picture, targets, address);
}

function mediaOf(inside: string, targets: InlineTargets, link?: string): string {
  const [, plugin, argument = ''] = /^\s*([a-z]\w*)>(.*)$/i.exec(inside) ?? [];
  if (plugin?.toLowerCase() === 'tag') {
    const tags = argument.match(/"[^"]+"|\S+/g) ?? [];
    const text = tags.map((tag) => `[[Category:${shown(tag.replace(/["_]+/g, ' ').trim())}]]`).join('');
    approximate(targets, 'plugin tag', `{{${inside}}}`, text);
    return text;
  }
  const known = plugin && embedded(plugin.toLowerCase(), argument, targets);
  if (known) {
    approximate(targets, `plugin ${plugin.toLowerCase()}`, `{{${inside}}}`, known);
    return known;
  }
  if (plugin !== undefined) {
    approximate(targets, `plugin ${plugin.toLowerCase()}`, `{{${inside}}}`, `{{${inside}}}`);
    return literal(`{{${inside}}}`);
  }
  const bar = inside.indexOf('|');
  const named = bar < 0 ? inside : inside.slice(0, bar);
  const caption = bar < 0 ? '' : inside.slice(bar + 1).trim();
  const [name = '', options = ''] = named.trim().split('?', 2);
  if (/^https?:\/\//i.test(name)) {
    const text = external(named.trim(), caption, undefined, targets);
    approximate(targets, 'picture from another site', `{{${inside}}}`, text);
    return text;
  }
  const path = targets.file(name);
  const last = name.split(/[:/]/).at(-1) ?? name;
  const file = path ?? last;
  if (!pictures.test(last) || /\blinkonly\b/.test(options))
    return `[[Media:${file}|${shown(caption || last)}]]`;
  const size = /\b(\d{1,5}(?:x\d{1,5})?)\b/.exec(options)?.[1];
  const isAfter = named.startsWith(' ');
  const isBefore = /\s$/.test(named);
  const align =
    isAfter && isBefore
      ? 'center'
      : isAfter
        ? 'right'
        : isBefore
          ? 'left'
          : /\b(left|right|center)\b/.exec(options)?.[1];
  const linked = link === undefined ? (/\bnolink\b/.test(options) ? 'link=' : undefined) : `link=${link}`;
  const parts = [size && `${size}px`, align, linked, caption && shown(caption)].filter((part) => part);
  return `[[File:${[file, ...parts].join('|')}]]`;
}

/** Content from elsewhere as a link to it; undefined if the plugin is not known. */
function embedded(plugin: string, argument: string, targets: InlineTargets): string | undefined {
  const [name = ''] = argument.trim().split(/[&?|]|\s/, 1);
  if (name === '') return undefined;
  if (/^(?:page|section)$/.test(plugin)) return linkOf(name, targets);
  if (/^(?:indexmenu|namespace|nspages|catlist)$/.test(plugin))
    return linkOf(`${name.replace(/:*(?:#.*)?$/, '')}:`, targets);
  if (plugin === 'youtube') return `https://www.youtube.com/watch?v=${encodeURIComponent(name)}`;
  if (plugin === 'vimeo') return `https://vimeo.com/${encodeURIComponent(name)}`;
  if (/^(?:rss|url|iframe)$/.test(plugin) && /^https?:\/\//.test(name))
    return external(name, '', undefined, targets);
  return undefined;
}

/** Text within a link. */
function shown(text: string): string {
  return escapeText(text)
    .replace(/[[\]{}|]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll("''", '&#39;&#39;');
}
