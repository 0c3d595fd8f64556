/**
 * file   ::= '[[' ('File' | 'Image') ':' name ('|' option)* ('|' caption)? ']]'
 * option ::= 'thumb' | 'frame' | 'frameless' | 'border' | 'left' | 'right' | 'center' | 'none' | 'baseline' | … | 'bottom'
 *          | width 'px' | width? 'x' height 'px' | 'upright' ('=' factor)? | ('alt' | 'link' | 'class' | 'lang' | 'page') '=' text
 *
 *   [[File:oak.jpg|thumb|left|200px|An oak]]
 *   <figure class="mw-halign-left"><a href="…"><img …></a><figcaption>An oak</figcaption></figure>
 *
 * What is no option is the caption, and the last one counts. Captions may hold links and emphasis. Give every picture that
 * says something an `alt=`.
 */
import { decodeEntities } from '../entities.ts';
import { limits } from '../limits.ts';
import { attributeText, effect } from '../prepared.ts';
import { leafToken } from '../token.ts';
import type { FileNode, FileOptions, Node } from '../tree.ts';
import type { Bracket } from './bracket.ts';
import { schemeEnd, urlEnd } from './external-link.ts';
import { buildNested } from './fragment.ts';
import type { Inline } from './inline.ts';

const maximumDepth = 10;

/** Answers 0 when files are nested too deeply here. */
export function fileLink(scanner: Inline, pair: Bracket, name: string): number {
  if (scanner.depth >= maximumDepth) return 0;
  const node = readFile(scanner, name, pair.pipe < 0 ? -1 : pair.pipe + 1, pair.end - 2, {
    start: scanner.source(pair.start),
    end: scanner.sourceEnd(pair.end),
  });
  scanner.flush(pair.start);
  scanner.resume(pair.end);
  const isBlock = isFigure(node.options);
  scanner.tokens.push(leafToken(node, isBlock ? effect.closesBlock : 0));
  if (isBlock) scanner.effects |= effect.closesBlock;
  return pair.end;
}

/** The node for a file whose options stand between two offsets (`from` -1: there are none). */
export function readFile(
  scanner: Inline,
  name: string,
  from: number,
  to: number,
  at: { start: number; end: number },
): FileNode {
  const options: FileOptions = {};
  let caption: [number, number] | undefined;
  if (from >= 0) {
    for (const [partStart, partEnd] of split(scanner, from, to)) {
      const written = attributeText(scanner.prepared, partStart, partEnd).trim();
      if (isLiteral(scanner.text, partStart, partEnd) || !readOption(written, options))
        caption = [partStart, partEnd];
    }
  }
  scanner.depth++;
  const children: Node[] = caption
    ? buildNested(
        scanner,
        scanner.nested(...trimmed(scanner.text, caption), {
          inLink: false,
          inCaption: true,
          hasLines: false,
        }),
      )
    : [];
  scanner.depth--;
  return { type: 'file', name, options, caption: children, start: at.start, end: at.end };
}

/** `<nowiki>thumb</nowiki>`: only the value of an option may hold what is set apart, not its name. */
function isLiteral(text: string, start: number, end: number): boolean {
  const mark = text.indexOf('\0', start);
  if (mark < 0 || mark >= end) return false;
  const equals = text.indexOf('=', start);
  return equals < 0 || equals > mark;
}

/** Whether the file is a block of its own rather than part of the line. */
export function isFigure(options: FileOptions): boolean {
  return options.format === 'thumb' || options.format === 'frame' || options.align !== undefined;
}

/** The parts between pipes; pipes within links and addresses do not count. */
function split(scanner: Inline, from: number, to: number): [number, number][] {
  const { text, brackets } = scanner;
  const parts: [number, number][] = [];
  let start = from;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code === 124) {
      parts.push([start, at]);
      start = at + 1;
    } else if (code === 91) {
      const inner = brackets.get(at);
      if (inner && inner.end <= to) {
        at = inner.end;
        continue;
      }
      const scheme = schemeEnd(text, at + 1);
      if (scheme > 0) {
        at = urlEnd(text, scheme, to);
        continue;
      }
    }
    at++;
  }
  parts.push([start, to]);
  return parts;
}

const formats: Readonly<Record<string, FileOptions['format']>> = {
  thumb: 'thumb',
  thumbnail: 'thumb',
  frame: 'frame',
  framed: 'frame',
  enframed: 'frame',
  frameless: 'frameless',
};
const alignments: Readonly<Record<string, FileOptions['align']>> = {
  left: 'left',
  right: 'right',
  center: 'center',
  centre: 'center',
  none: 'none',
};
const verticals = new Set('baseline sub super top text-top middle bottom text-bottom'.split(' '));

/** Notes the option in `options`; false when the text is none. */
export function readOption(written: string, options: FileOptions): boolean {
  const text = decodeEntities(written);
  if (Object.hasOwn(formats, text)) {
    options.format ??= formats[text];
    return true;
  }
  if (Object.hasOwn(alignments, text)) {
    options.align ??= alignments[text];
    return true;
  }
  if (text === 'border') options.border = true;
  else if (text === 'upright') options.upright = 0.75;
  else if (verticals.has(text)) options.valign ??= text;
  else if (text.endsWith('px')) return readSize(text, options);
  else return readNamed(text, options);
  return true;
}

function readSize(text: string, options: FileOptions): boolean {
  const size = /^(?:(\d{1,6})|(\d{0,6})x(\d{1,6}))\s*(?:px){1,2}$/.exec(text);
  if (!size) return false;
  const [, single, width, height] = size;
  options.width = Number(single ?? width) || undefined;
  options.height = height === undefined ? undefined : Number(height) || undefined;
  return true;
}

function readNamed(text: string, options: FileOptions): boolean {
  const spaced = /^(upright|page) (.+)$/.exec(text);
  if (spaced) return readNamed(`${spaced[1]}=${spaced[2]}`, options);
  const equals = text.indexOf('=');
  if (equals < 0) return false;
  const name = text.slice(0, equals).trimEnd();
  const value = text.slice(equals + 1).trim();
  switch (name) {
    case 'alt':
      options.alt = withoutLinks(value);
      return true;
    case 'class':
      options.class = value;
      return true;
    case 'lang':
      options.lang = value;
      return true;
    case 'page':
      options.page = value;
      return true;
    case 'link':
      if (/[<>[\]{}|\n]/.test(value) || value.length > limits.keyLength * 32) return false;
      options.link = value;
      return true;
    case 'upright': {
      const factor = Number(value);
      if (!(factor > 0 && factor <= 10)) return false;
      options.upright = factor;
      return true;
    }
    case 'thumb':
    case 'thumbnail':
      options.format ??= 'thumb';
      options.manual = value;
      return true;
    default:
      return false;
  }
}

/** `[[a|b]]` → `b`: a text that cannot hold links says what they say. */
function withoutLinks(text: string): string {
  return text.includes('[[') ? text.replace(/\[\[(?:[^[\]|]{0,500}\|)?([^[\]|]{0,500})\]\]/g, '$1') : text;
}

function trimmed(text: string, [start, end]: [number, number]): [number, number] {
  let from = start;
  let to = end;
  while (from < to && text.charCodeAt(from) <= 32 && text.charCodeAt(from) !== 0) from++;
  while (to > from && text.charCodeAt(to - 1) <= 32 && text.charCodeAt(to - 1) !== 0) to--;
  return [from, to];
}
