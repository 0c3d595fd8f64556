/**
 * file   ::= '[[' ('File' | 'Image') ':' name ('|' option)* ('|' caption)? ']]'
 * option ::= 'thumb' | 'frame' | 'frameless' | 'border' | 'left' | 'right' | 'center' | 'none' | 'baseline' | … | 'bottom'
 *          | width 'px' | width? 'x' height 'px' | 'upright' ('=' factor)? | ('alt' | 'link' | 'class' | 'lang' | 'page') '=' text
 *          | ('start' | 'end') '=' time | 'loop' | 'muted'
 *
 *   [[File:oak.jpg|thumb|left|200px|An oak]]
 *   <figure class="mw-halign-left"><a href="…"><img …></a><figcaption>An oak</figcaption></figure>
 *
 * Text that is no option is the caption; the last one wins. Captions may hold links and emphasis. Give every picture that
 * carries meaning an `alt=`.
 */

import { isFigure } from '../blocks/block-node.ts';
import { char } from '../characters.ts';
import { decodeEntities, decodePercent } from '../entities.ts';
import { limits } from '../limits.ts';
import type { LinkTarget, PathOfPage, Rules } from '../options.ts';
import { attributeText, effect } from '../prepared.ts';
import { inlineText } from '../text.ts';
import { leafToken } from '../token.ts';
import type { FileNode, FileOptions, Node } from '../tree.ts';
import { type Bracket, labelEnd } from './bracket.ts';
import { schemeEnd, urlEnd } from './external-link.ts';
import { buildNested } from './fragment.ts';
import type { Inline } from './inline.ts';

/** Returns 0 if files are nested too deeply. */
export function fileLink(scanner: Inline, pair: Bracket, name: string, limit: number): number {
  if (scanner.depth >= limits.fileDepth) return 0;
  const to = labelEnd(scanner.text, pair, limit);
  // A file with an empty label is text in dialects without the pipe trick.
  if (!scanner.context.rules.pipeTrick && pair.pipe + 1 === to) return 0;
  const end = to + 2;
  const { options, caption } = readFile(
    scanner,
    pair.pipe < 0 ? -1 : pair.pipe + 1,
    to,
    (written, options) =>
      readOption(written, name, options) || (isPlayed(name) && readPlayback(written, options)),
  );
  scanner.flush(pair.start);
  scanner.resume(end);
  const isBlock = isFigure(options);
  const node: FileNode = {
    type: 'file',
    name,
    options,
    caption: caption ? nodesOf(scanner, caption) : [],
    start: scanner.source(pair.start),
    end: scanner.sourceEnd(end),
  };
  scanner.tokens.push(leafToken(node, isBlock ? effect.closesBlock : 0));
  if (isBlock) scanner.effects |= effect.closesBlock;
  return end;
}

function isPlayed(name: string): boolean {
  return /\.(?:flac|m4a|mov|mp3|mp4|og[agv]|opus|wav|web[am])$/i.test(name);
}

/** `[[Media:name|label]]`: a link to the file itself. */
export function mediaLink(scanner: Inline, pair: Bracket, name: string, limit: number): number {
  if (scanner.place.inLink) return 0;
  const to = labelEnd(scanner.text, pair, limit);
  const end = to + 2;
  const label: [number, number] =
    pair.pipe >= 0 && pair.pipe + 1 < to
      ? [pair.pipe + 1, to]
      : [pair.start + 2, pair.pipe < 0 ? to : pair.pipe];
  scanner.flush(pair.start);
  scanner.resume(end);
  const node: FileNode = {
    type: 'file',
    name,
    options: { format: 'link' },
    caption: nodesOf(scanner, label),
    start: scanner.source(pair.start),
    end: scanner.sourceEnd(end),
  };
  scanner.tokens.push(leafToken(node, 0));
  return end;
}

/** Reads the options between two offsets (`from` is -1 if there are none). Returns them with the range of the caption. */
export function readFile(
  scanner: Inline,
  from: number,
  to: number,
  read: (written: string, options: FileOptions) => boolean,
): { options: FileOptions; caption: [number, number] | undefined } {
  const options: FileOptions = {};
  const { option } = scanner.context.rules;
  let caption: [number, number] | undefined;
  if (from >= 0) {
    for (const part of split(scanner, from, to)) {
      const isCaption = isLiteral(scanner.text, ...part);
      const written = isCaption ? '' : optionText(scanner, ...part);
      if (isCaption || !read(option?.(written) ?? written, options)) caption = trimmed(scanner.text, part);
    }
  }
  return { options, caption };
}

function nodesOf(scanner: Inline, [start, end]: [number, number]): Node[] {
  scanner.depth++;
  const place = { inLink: false, inCaption: true, hasLines: false };
  const nodes = buildNested(scanner, scanner.nested(start, end, place));
  scanner.depth--;
  return nodes;
}

/** Returns an option as written, but `alt` and `link` with their value as plain text, because attributes hold no markup. */
function optionText(scanner: Inline, start: number, end: number): string {
  const [from, to] = trimmed(scanner.text, [start, end]);
  const written = scanner.text.slice(from, to);
  const named = /^(?:alt|link)\s*=/.exec(written);
  if (!named || !/['[\0]/.test(written)) return attributeText(scanner.prepared, from, to);
  return named[0] + inlineText(nodesOf(scanner, [from + named[0].length, to]));
}

/**
 * Whether a construct such as nowiki stands in the name of an option, which is then plain text: `<nowiki>thumb</nowiki>`. Only
 * values may contain such constructs.
 */
function isLiteral(text: string, start: number, end: number): boolean {
  const mark = text.indexOf('\0', start);
  if (mark < 0 || mark >= end) return false;
  const equals = text.indexOf('=', start);
  return equals < 0 || equals > mark;
}

/** Returns the target of a file's `link=`. A tag or file as target links to its page. */
export function fileTarget(rules: Rules, written: string, path: PathOfPage): LinkTarget {
  const decoded = decodePercent(written);
  const target = rules.link(decoded, true, path);
  return target.kind === 'page' ? target : rules.link(`:${decoded}`, true, path);
}

/** Splits at pipes, except those within links and addresses. */
function split(scanner: Inline, from: number, to: number): [number, number][] {
  const { text, brackets } = scanner;
  const parts: [number, number][] = [];
  let start = from;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code === char.pipe) {
      parts.push([start, at]);
      start = at + 1;
    } else if (code === char.openBracket) {
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

/** Factor of `upright` if it states none. */
const usualFactor = 0.75;
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
const verticals: Readonly<Record<string, string>> = {
  baseline: 'baseline',
  sub: 'sub',
  super: 'super',
  sup: 'super',
  top: 'top',
  'text-top': 'text-top',
  middle: 'middle',
  bottom: 'bottom',
  'text-bottom': 'text-bottom',
};

/** Reads an option of a file in a gallery, like `readOption`. */
export function readGalleryOption(written: string, name: string, options: FileOptions): boolean {
  // An invalid `link=` is dropped here; it does not become the caption.
  return (
    /^(?:alt|link|lang|page)=/.test(written) &&
    (readNamed(written, name, options) || written.startsWith('link='))
  );
}

/** Stores the option in `options`. Returns false if the text is no option. */
function readOption(text: string, name: string, options: FileOptions): boolean {
  if (Object.hasOwn(formats, text)) {
    // The first format wins; others are text.
    if (options.format !== undefined) return false;
    options.format = formats[text];
    return true;
  }
  if (Object.hasOwn(alignments, text)) {
    options.align ??= alignments[text];
    return true;
  }
  if (text === 'border') options.border = true;
  else if (text === 'upright') options.upright = usualFactor;
  else if (Object.hasOwn(verticals, text)) options.valign ??= verticals[text];
  else if (text.endsWith('px')) return readSize(text, options);
  else return readNamed(text, name, options);
  return true;
}

/**
 * Reads `start=1:30`, `end=95.5`, `loop` and `muted`. Options that choose among players or pictures of a video are accepted and
 * ignored.
 */
function readPlayback(written: string, options: FileOptions): boolean {
  const [, name, time = ''] =
    /^(start|end|thumbtime)\s*=\s*((?:\d{1,3}:){0,2}\d{1,6}(?:\.\d{1,3})?)$/.exec(written) ?? [];
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  if (name === 'start') options.from = seconds;
  else if (name === 'end') options.until = seconds;
  else if (written === 'loop' || written === 'muted') options[written] = true;
  else return name !== undefined || /^(?:noicon|noplayer|disablecontrols(?:=.*)?)$/.test(written);
  return true;
}

function readSize(text: string, options: FileOptions): boolean {
  const size = /^(\d{0,6})(?:x(\d{0,6}))?\s*(?:px){1,2}$/.exec(text);
  if (!size) return false;
  const [width, height] = [size[1], size[2]].map((part) => (part ? Number(part) : undefined));
  if (width === 0 || height === 0 || (width === undefined && height === undefined)) return false;
  if (width !== undefined) options.width = width;
  if (height !== undefined) options.height = height;
  return true;
}

function readNamed(text: string, file: string, options: FileOptions): boolean {
  const spaced = /^(upright|page) (.+)$/.exec(text);
  if (spaced) return readNamed(`${spaced[1]}=${spaced[2]}`, file, options);
  const equals = text.indexOf('=');
  if (equals < 0 || text.includes('\n')) return false;
  const value = text.slice(equals + 1).trim();
  switch (text.slice(0, equals)) {
    case 'alt':
      options.alt = decodeEntities(value);
      return true;
    case 'class':
      options.class = decodeEntities(value);
      return true;
    case 'lang':
      if (!/\.svg$/i.test(file)) return false;
      options.lang = value;
      return true;
    case 'page':
      if (!/\.(?:pdf|djvu?|tiff?)$/i.test(file)) return false;
      options.page = value;
      return true;
    case 'link':
      if (/[<>[\]{}|]|^(?:[a-z]+:)?\/\/.*\s/i.test(value) || value.length > limits.keyLength * 32)
        return false;
      // A URL takes precedence over a page.
      if (schemeEnd(options.link ?? '', 0) < 0 || schemeEnd(value, 0) > 0)
        options.link = decodeEntities(value);
      return true;
    case 'upright': {
      const factor = Number(value);
      if (value === '' || !(factor <= 10)) return false;
      if (factor >= 0) options.upright = factor || usualFactor;
      return true;
    }
    case 'thumb':
    case 'thumbnail':
      if (options.format !== undefined) return false;
      options.format = 'thumb';
      options.manual = value;
      return true;
    default:
      return false;
  }
}

function trimmed(text: string, [start, end]: [number, number]): [number, number] {
  let from = start;
  let to = end;
  while (from < to && text.charCodeAt(from) <= char.space && text.charCodeAt(from) !== char.nul) from++;
  while (to > from && text.charCodeAt(to - 1) <= char.space && text.charCodeAt(to - 1) !== char.nul) to--;
  return [from, to];
}
