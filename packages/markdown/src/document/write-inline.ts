/** Writes marks, inline nodes and new text in Markdown. */
import {
  changeCall,
  type InlineLanguage,
  NotExpressible,
  type Place,
  type SourceMark,
  type Style,
  type TextPlace,
  type Unit,
  writeCall,
} from '@coppice/wikitext/document';

const signs: Readonly<Record<string, string>> = {
  bold: '**',
  italic: '*',
  strike: '~~',
  highlight: '==',
  code: '`',
};
const tags: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  strike: 'del',
  highlight: 'mark',
  code: 'code',
  underline: 'u',
  sub: 'sub',
  sup: 'sup',
};

/** `last`: the unit at the end of the content. */
export function inlineMarkdown(source: string, style: Style, last: Unit | undefined): InlineLanguage {
  return {
    marks(mark) {
      if (mark.type === 'link') return linkMarks(mark);
      // Code with a backtick, or with a space at its ends.
      if (mark.type === 'code' && style === 'safe') return { open: '`` ', close: ' ``' };
      if (mark.type === 'code' && style === 'anew') return { open: '```` ', close: ' ````' };
      const sign = style === 'usual' ? signs[mark.type] : undefined;
      if (sign) return { open: sign, close: sign };
      const tag = tags[mark.type];
      if (!tag) throw new NotExpressible(`Markdown has no mark "${mark.type}".`);
      return { open: `<${tag}>`, close: `</${tag}>` };
    },
    link({ attrs }, text, place) {
      const to = String(attrs.to);
      const bar = place.kind === 'td' ? '\\|' : '|';
      if (attrs.kind === 'page') {
        if (/[[\]{}|<>\n]/.test(to + text) || to.trim() === '')
          throw new NotExpressible('This cannot be the target of a link.');
        return text === to ? `[[${to}]]` : `[[${to}${bar}${text}]]`;
      }
      // Safe from the text that follows.
      if (style !== 'usual') return undefined;
      return text === to && /^https?:\/\/[\w.-]+\.[a-z]+(?:\/[\w./-]*\w\/?)?$/i.test(to) ? to : undefined;
    },
    // A backslash at the end would be one.
    node: (unit, old, place) =>
      writeNode(source, unit, old, unit === last ? { ...place, isOneLine: true } : place),
    text: (text, place) => (place.isCode ? text : escaped(text, place, style)),
    isInnermost: ({ type, attrs }) => type === 'code' || (type === 'link' && attrs.kind === 'page'),
    between: () => '',
  };
}

function linkMarks({ attrs }: SourceMark): { open: string; close: string } {
  const to = String(attrs.to);
  if (attrs.kind === 'page')
    throw new NotExpressible('A link to a page has neither code nor pictures in Markdown.');
  if (/[\n\\]/.test(to)) throw new NotExpressible('This cannot be the target of a link.');
  const target = to === '' || /[\s()<>]/.test(to) ? `<${to.replace(/[<>]/g, '')}>` : to;
  const title =
    attrs.title === null || attrs.title === undefined
      ? ''
      : ` "${String(attrs.title).replace(/["\\\n]/g, ' ')}"`;
  return { open: '[', close: `](${target}${title})` };
}

function escaped(text: string, { isFirst, isLineStart, before, kind }: TextPlace, style: Style): string {
  // A backslash before a bracket may begin a formula.
  if (style !== 'usual')
    return text
      .replace(/[!-'*-/:-@\\^-`{-~]/g, '\\$&')
      .replaceAll('[', '&#91;')
      .replaceAll(']', '&#93;');
  let written = escapedSigns(text);
  if (kind === 'td') written = written.replaceAll('|', '\\|');
  if (isLineStart && (isFirst || /\n[ >]*$/.test(before)))
    written = written
      .replace(/^(?:[#>+=|-]|:::|!!!|\?\?\?)/, '\\$&')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
  return written;
}

function escapedSigns(text: string): string {
  return text
    .replace(/[\\`*[\]]|<(?=[a-z/!?])|&(?=#?\w{1,40};)|~(?=\S)|==|\$(?=\S)|\{\{|%%|\^(?=\[)/gi, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/(?<=\w):(?=\/\/)|:(?=\w+:)/g, '\\:');
}

function writeNode(
  source: string,
  { node }: Unit,
  old: Unit | undefined,
  { isOneLine, kind }: Place,
): string {
  const { type, attrs = {} } = node ?? { type: '' };
  const written = old?.at ? source.slice(old.at.start, old.at.end) : undefined;
  switch (type) {
    case 'hardBreak':
      return isOneLine ? '<br>' : '\\\n';
    case 'comment':
      return `<!--${String(attrs.text).replaceAll('-->', '')}-->`;
    case 'image':
      return writeImage(written, attrs, kind === 'td' ? '\\|' : '|');
    case 'note': {
      if (attrs.text === null) return `[^${String(attrs.name).replace(/[\s\]^]/g, '-')}]`;
      return `^[${String(attrs.text).replaceAll('\n', ' ')}]`;
    }
    case 'inlineCall':
      return written === undefined ? writeCall(attrs) : changeCall(written, attrs);
    case 'inlineFormula':
      return `$${String(attrs.source)}$`;
    default:
      return String(attrs.text ?? '');
  }
}

function writeImage(
  written: string | undefined,
  { file, alt, width }: Readonly<Record<string, unknown>>,
  bar: string,
): string {
  const name = String(file);
  const hasBrackets = written === undefined ? !/[/:]/.test(name) : written.startsWith('![[');
  const isWiki = hasBrackets && alt === null;
  const size = typeof width === 'number' ? bar + width : '';
  if (isWiki) {
    if (/[[\]|{}\n]/.test(name)) throw new NotExpressible('This cannot be the name of a file.');
    return `![[${name}${size}]]`;
  }
  const target = /[\s()<>]/.test(name) ? `<${name.replace(/[<>\n]/g, '')}>` : name;
  const words = escapedSigns(String(alt ?? '').replace(/\s+/g, ' '))
    .replace(/\\([[\]])/g, (_all, sign: string) => `&#${sign.charCodeAt(0)};`)
    .replaceAll('|', '\\|');
  return `![${words}${size}](${target})`;
}
