/**
 * link   ::= '[[' target ('|' label)? ']]' trail?      target ::= no line end, no bracket, brace, angle
 * marker ::= '[[' key ':' value ']]'                  trail  ::= lower-case letter+
 *
 *   [[Oak]]s            <a href="/oak">Oaks</a>            [[/trees/oak|the oak]]   <a href="/trees/oak">the oak</a>
 *   [[Oak#Bark|bark]]   <a href="/oak#Bark">bark</a>       [[Oak (tree)|]]          <a href="/oak-tree">Oak</a>
 *   [[Height: 20 m]]    nothing: the page has a tag "height"
 *   [[https://example.org|there]]   <a href="https://example.org">there</a>
 *   [[wikipedia:Oak]]    <a href="https://en.wikipedia.org/wiki/Oak">wikipedia:Oak</a>
 *   [[Media:oak.jpg|its picture]]   <a href="/files/1/oak.jpg">its picture</a>
 *
 * A label may hold emphasis and tags, but no other link. The dialect decides what the target means (`rules.ts`).
 */
import { char } from '../characters.ts';
import { mayLink } from '../context.ts';
import { decodeEntities, decodePercent } from '../entities.ts';
import { safeUrl } from '../html.ts';
import type { LinkTarget } from '../options.ts';
import { closeToken, leafToken, openToken, type Token, textToken } from '../token.ts';
import type { ExternalLinkNode, LinkNode, MarkerNode, Range, TextNode } from '../tree.ts';
import { type Bracket, labelEnd } from './bracket.ts';
import { cleanUrl } from './external-link.ts';
import { fileLink, mediaLink } from './file.ts';
import type { Construct, Inline } from './inline.ts';

const text = { kind: 'text' } as const;

/** Returns 0 if no link begins at `at`. */
export const internalLink: Construct = (scanner, at, limit) => {
  if (scanner.text.charCodeAt(at + 1) !== char.openBracket) return 0;
  const pair = scanner.brackets.get(at);
  if (!pair || pair.end > limit) return 0;
  const target = targetOf(scanner, pair);
  if (target.kind === 'text') return 0;
  if (pair.hasInner && target.kind !== 'file') return 0;
  if (!mayLink(scanner.context)) return 0;
  if (target.kind === 'file') return fileLink(scanner, pair, target.name, limit);
  if (target.kind === 'media') return mediaLink(scanner, pair, target.name, limit);
  if (target.kind === 'address') return addressLink(scanner, pair, target, limit);
  if (target.kind === 'marker') {
    scanner.flush(at);
    scanner.resume(pair.end);
    const marker: MarkerNode = {
      type: 'marker',
      key: target.key,
      value: target.value,
      start: scanner.source(at),
      end: scanner.sourceEnd(pair.end),
    };
    scanner.tokens.push(leafToken(marker, 0));
    return pair.end;
  }
  return pageLink(scanner, pair, target, limit);
};

/**
 * Reads `[[https://example.org|label]]`, an external link with doubled brackets and a bar instead of the space.
 * `[[wikipedia:Oak]]s` takes trailing letters as links to pages do.
 */
function addressLink(
  scanner: Inline,
  pair: Bracket,
  { url, isWiki }: LinkTarget & { kind: 'address' },
  limit: number,
): number {
  if (safeUrl(url) === undefined || scanner.place.inLink) return 0;
  const to = isWiki ? labelEnd(scanner.text, pair, limit) : pair.end - 2;
  const end = isWiki ? trailEnd(scanner, to + 2, limit) : pair.end;
  const label = labelTokens(scanner, pair, to, isWiki ? undefined : ownAddress(pair));
  scanner.flush(pair.start);
  scanner.resume(end);
  const node: ExternalLinkNode = {
    type: 'external-link',
    url: cleanUrl(url),
    kind: isWiki ? 'interwiki' : 'text',
    number: 0,
    children: [],
    start: scanner.source(pair.start),
    end: scanner.sourceEnd(end),
  };
  pushLink(scanner, node, label, { start: to + 2, end });
  return end;
}

function ownAddress({ start, end, pipe }: Bracket): Token {
  return textToken(start + 2, pipe < 0 ? end - 2 : pipe);
}

/** The last argument is the range of the letters behind the brackets, in the prepared text. */
function pushLink(
  scanner: Inline,
  node: LinkNode | ExternalLinkNode,
  label: readonly Token[],
  { start, end }: Range,
): void {
  scanner.tokens.push(openToken('a', node.start, node.start + 2, node));
  for (const token of label) scanner.tokens.push(token);
  if (end > start) scanner.tokens.push(textToken(start, end));
  scanner.tokens.push(closeToken('a', node.end, node.end));
}

/**
 * Returns the label of a link: the text after the bar up to `to`. Without a bar, it is `own` or the target as written; with
 * nothing after the bar, the short form of the target.
 */
function labelTokens(scanner: Inline, pair: Bracket, to: number, own: Token | undefined): Token[] {
  const { text } = scanner;
  if (pair.pipe < 0) return [own ?? ownLabel(scanner, pair, undefined)];
  const from = pair.pipe + 1;
  if (from < to) return scanner.nested(from, to, { inLink: true, inCaption: false, hasLines: false });
  if (own) return [own];
  return [textLeaf(shortTitle(text.slice(pair.start + 2, pair.pipe)), scanner, pair.start + 2, pair.pipe)];
}

/**
 * Returns the start of the white space directly before each marker, and the marker's offset. This white space is removed with
 * the marker.
 */
export function markerCuts(scanner: Inline): [number, number][] {
  const cuts: [number, number][] = [];
  for (const pair of scanner.brackets.all) {
    if (pair.hasInner || targetOf(scanner, pair).kind !== 'marker') continue;
    let from = pair.start;
    while (isSpace(scanner.text.charCodeAt(from - 1))) from--;
    if (from < pair.start) cuts.push([from, pair.start]);
  }
  return cuts;
}

function targetOf(scanner: Inline, pair: Bracket): LinkTarget {
  pair.target ??= readTarget(scanner, pair);
  return pair.target;
}

function readTarget(scanner: Inline, pair: Bracket): LinkTarget {
  const end = pair.pipe < 0 ? pair.end - 2 : pair.pipe;
  const written = scanner.text.slice(pair.start + 2, end);
  if (written.length > 2048 || written === '' || !isPlain(written, false)) return text;
  const decoded = decodeEntities(decodePercent(written));
  const title = decoded.split('#', 1)[0] ?? '';
  if (decoded !== written && (!isPlain(title, true) || hasReference(title))) return text;
  return scanner.context.rules.link(decoded, pair.pipe >= 0, scanner.context.path);
}

function pageLink(
  scanner: Inline,
  pair: Bracket,
  target: LinkTarget & { kind: 'page' },
  limit: number,
): number {
  let labelStop = labelEnd(scanner.text, pair, limit);
  if (pair.pipe >= 0 && pair.pipe + 1 === labelStop && !scanner.context.rules.pipeTrick) {
    labelStop = laterEnd(scanner.text, labelStop + 1, limit);
    if (labelStop < 0) return 0;
  }
  const own = pair.pipe < 0 ? ownLabel(scanner, pair, target.label) : undefined;
  const label = labelTokens(scanner, pair, labelStop, own);
  scanner.flush(pair.start);
  const end = trailEnd(scanner, labelStop + 2, limit);
  const node: LinkNode = {
    type: 'link',
    target: target.target,
    isPath: target.isPath,
    fragment: target.fragment,
    ...(target.file === undefined ? {} : { file: target.file }),
    children: [],
    start: scanner.source(pair.start),
    end: scanner.sourceEnd(end),
  };
  pushLink(scanner, node, label, { start: labelStop + 2, end });
  scanner.resume(end);
  return end;
}

/**
 * Returns the end of a label that is not empty, as dialects without the pipe trick require: in `[[Oak|]]]`, the label is a
 * bracket. Returns -1 if there is no such end.
 */
function laterEnd(text: string, from: number, limit: number): number {
  for (let at = from; at + 1 < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === char.newline || (code === char.openBracket && text.charCodeAt(at + 1) === code)) return -1;
    if (code === char.closeBracket && text.charCodeAt(at + 1) === code) return at;
  }
  return -1;
}

/** Returns the end of the letters that directly follow the brackets and belong to the label: `[[Oak]]s`. */
function trailEnd({ text, context }: Inline, from: number, limit: number): number {
  let end = from;
  while (end < limit && isTrail(text, end, context.rules.asciiTrails)) end++;
  return end;
}

function ownLabel(scanner: Inline, pair: Bracket, label: string | undefined): Token {
  let from = pair.start + 2;
  const to = pair.end - 2;
  if (label !== undefined) return textLeaf(label, scanner, from, to);
  while (isSpace(scanner.text.charCodeAt(from))) from++;
  if (scanner.text.charCodeAt(from) === char.colon) from++;
  const written = scanner.text.slice(from, to);
  const decoded = decodePercent(written);
  return decoded === written ? textToken(from, to) : textLeaf(decoded, scanner, from, to);
}

function textLeaf(value: string, scanner: Inline, from: number, to: number): Token {
  const node: TextNode = { type: 'text', value, start: scanner.source(from), end: scanner.sourceEnd(to) };
  return leafToken(node, 0);
}

/** Shortens a title: `Namespace:Title (aside)` → `Title`, `Title, place` → `Title`. */
function shortTitle(written: string): string {
  const title = written.slice(
    written.startsWith(':') ? written.indexOf(':', 1) + 1 : written.indexOf(':') + 1,
  );
  const parenthesis = title.endsWith(')') ? title.lastIndexOf(' (') : -1;
  if (parenthesis > 0) return title.slice(0, parenthesis).trim();
  const comma = title.indexOf(', ');
  const last = title.startsWith('/') ? title.slice(title.lastIndexOf('/') + 1) : title;
  return (comma > 0 ? title.slice(0, comma) : last).trim();
}

/** Whether the target has only allowed characters. Angle brackets are allowed in the fragment only. */
function isPlain(target: string, isTitle: boolean): boolean {
  let inFragment = false;
  for (let at = 0; at < target.length; at++) {
    const code = target.charCodeAt(at);
    if (code < char.space || code === char.delete || code === char.replacement) return false;
    if (code === char.hash) inFragment = true;
    if ((code === char.lessThan || code === char.greaterThan) && !inFragment) return false;
    if (
      code === char.openBracket ||
      code === char.closeBracket ||
      code === char.openBrace ||
      code === char.closeBrace
    )
      return false;
    if (isTitle && code === char.pipe) return false;
  }
  return true;
}

function hasReference(decoded: string): boolean {
  return /&(?:[a-z0-9]{1,32}|#\d{1,31}|#x[0-9a-f]{1,30});/i.test(decoded);
}

function isTrail(text: string, at: number, isAscii = false): boolean {
  const code = text.charCodeAt(at);
  if (code < char.notAscii) return code >= 97 && code <= 122;
  return !isAscii && /\p{Ll}/u.test(text[at] ?? '');
}

function isSpace(code: number): boolean {
  return code === char.space || code === char.tab || code === char.newline;
}
