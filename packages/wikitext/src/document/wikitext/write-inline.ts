/** Writes marks, inline nodes and new text in wikitext. */
import { escapeWikitext } from '../../edit/guard.ts';
import { decodeEntities } from '../../entities.ts';
import type { Rules } from '../../options.ts';
import { escapeText } from '../../to-wikitext/escape.ts';
import { NotExpressible } from '../edited.ts';
import type { InlineLanguage, Place, TextPlace } from '../inline.ts';
import type { Style } from '../language.ts';
import type { Attributes, SourceMark, Unit } from '../nodes.ts';
import { changeCall, writeCall } from './calls.ts';
import { changeFile, writeFile } from './file-attributes.ts';

const tags: Readonly<Record<string, string>> = {
  bold: 'b',
  italic: 'i',
  code: 'code',
  sub: 'sub',
  sup: 'sup',
  strike: 's',
  underline: 'u',
  highlight: 'mark',
};
const quotes: Readonly<Record<string, string>> = { bold: "'''", italic: "''" };

export function inlineWikitext(source: string, rules: Rules, style: Style): InlineLanguage {
  return {
    marks(mark) {
      const { type, attrs } = mark;
      if (type === 'link') return linkMarks(attrs);
      if (type === 'element') return elementMarks(attrs);
      const quote = style === 'usual' ? quotes[type] : undefined;
      if (quote) return { open: quote, close: quote };
      const tag = tags[type];
      if (!tag) throw new NotExpressible(`Wikitext has no mark "${type}".`);
      return { open: `<${tag}>`, close: `</${tag}>` };
    },
    link({ attrs }, text) {
      const to = String(attrs.to);
      if (text !== to) return undefined;
      if (attrs.kind === 'address')
        return /^[a-z][a-z0-9+.-]*:\/\/[^\s"<>[\]{}|]+$/i.test(to) ? to : undefined;
      return `${linkMarks(attrs).open.slice(0, -1)}]]`;
    },
    node: (unit, old) => writeNode(source, rules, unit, old),
    text: (text, place) => (style !== 'usual' ? escapeWikitext(text) : escaped(text, place, rules)),
    between(before, after, closed) {
      const isTrail = closed?.type === 'link' && before.endsWith(']]') && /^\p{L}/u.test(after);
      const isQuote = before.endsWith("'") && after.startsWith("''") && closed === undefined;
      return isTrail || isQuote ? '<nowiki/>' : '';
    },
  };
}

function linkMarks({ to, kind }: Attributes): { open: string; close: string } {
  const target = String(to);
  const isBad = kind === 'address' ? /[\s[\]<>"{}|]/.test(target) : /[[\]{}|<>\n]/.test(target);
  if (isBad || target.trim() === '') throw new NotExpressible('This address cannot be the target of a link.');
  return kind === 'address' ? { open: `[${target} `, close: ']' } : { open: `[[${target}|`, close: ']]' };
}

function elementMarks({ tag, open }: Attributes): { open: string; close: string } {
  const name = String(tag);
  if (!new RegExp(`^<${name.replace(/[^a-z0-9]/g, '')}(?:\\s[^<>]*)?>$`, 'i').test(String(open)))
    throw new NotExpressible('This is no tag.');
  return { open: String(open), close: `</${name}>` };
}

function escaped(text: string, place: TextPlace, rules: Rules): string {
  const { kind, before, isFirst, link } = place;
  const inCell = kind === 'td' || kind === 'th' ? kind : kind === 'caption' ? 'td' : undefined;
  const inLink = link
    ? link.attrs.kind === 'address'
      ? 'external'
      : 'page'
    : kind === 'label'
      ? 'file'
      : undefined;
  const written = escapeText(text, {
    rules,
    ...(inLink ? { inLink } : {}),
    inCell,
    inTerm: kind === 'term',
    isLineStart: place.isLineStart && (isFirst || before.endsWith('\n')),
    keepsIndent: kind !== 'block',
    isAfterBar: inCell !== undefined && isFirst,
    goesOn: place.goesOn,
  });
  // A reference stands for one character, so later edits beside it change no other.
  return written.replace(/<nowiki>([\s\S]*?)<\/nowiki>/g, (_all, inside: string) =>
    escapeWikitext(decodeEntities(inside)),
  );
}

function writeNode(source: string, rules: Rules, { node }: Unit, old: Unit | undefined): string {
  const { type, attrs = {} } = node ?? { type: '' };
  const written = old?.at ? source.slice(old.at.start, old.at.end) : undefined;
  const before = old?.node?.attrs ?? {};
  switch (type) {
    case 'hardBreak':
      return '<br>';
    case 'comment':
      return `<!--${String(attrs.text).replaceAll('-->', '--&gt;')}-->`;
    case 'image':
      return written === undefined ? writeFile(attrs, '') : changeFile(written, before, attrs);
    case 'note':
      return writeNote(written, before, attrs);
    case 'inlineCall':
      return written === undefined ? writeCall(attrs) : changeCall(written, attrs, rules);
    case 'inlineFormula':
      return `${/^<math\b[^<>]*>/i.exec(written ?? '')?.[0] ?? '<math>'}${String(attrs.source)}</math>`;
    default:
      return String(attrs.text ?? '');
  }
}

function writeNote(written: string | undefined, before: Attributes, { name, text }: Attributes): string {
  const [, inside = ''] = /^<ref\b([^<>]*)>/i.exec(written ?? '') ?? [];
  let own = inside.trimEnd().replace(/\/$/, '').trimEnd();
  if (written === undefined || before.name !== name)
    own = name === null || name === undefined ? '' : ` name="${String(name).replace(/["<>\n]/g, '')}"`;
  if (text === null || text === undefined) return `<ref${own} />`;
  return `<ref${own}>${String(text)}</ref>`;
}

export type { Place, SourceMark };
