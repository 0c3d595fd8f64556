/**
 * Positions of links, pictures, definitions and tags with addresses in a text, as the parser itself reads it: so code, comments,
 * formulas, attributes and brackets that are no link are none here either. For programs that change targets and nothing else.
 */
import type { StateBlock, StateInline, Token } from 'markdown-it';
import { readFrontMatter, withoutFacts } from './front-matter.ts';
import { createParser } from './parser.ts';
import { Lines } from './positions.ts';
import type { CountedParts } from './rules/part-limit.ts';
import { piecesOf, setAside } from './spans.ts';

/** Offsets into the source. */
export type LinkPlace = { start: number; end: number } & (
  | { kind: 'wiki'; isEmbed: boolean }
  /** `target`: range of the address, with its angle brackets. */
  | { kind: 'address'; isImage: boolean; isDefinition: boolean; target: Range }
  /** The value of an attribute with an address, without its quotes. `element`: name of the tag in lower case. */
  | { kind: 'tag'; element: string }
);

type Place = { offset(at: number): number };
type Range = { start: number; end: number };
type PlacedLink = Range & { isImage: boolean; target: Range };
type Env = CountedParts & { definitions: { start: number; end: number; target: Range }[] };
/** Links of one block, by the content that they stand in. */
type WithLinks = { links?: PlacedLink[] };

const parser = createParser();
for (const [name, isImage] of [
  ['link', false],
  ['image', true],
  ['image_size', true],
] as const)
  parser.inline.ruler.at(name, placing(ruleNamed(parser.inline.ruler, name), isImage));
parser.block.ruler.at('reference', placingDefinitions(ruleNamed(parser.block.ruler, 'reference')));

/** Returns the places in the order of the source. Any text is valid, and nothing throws. */
export function linkPlaces(source: string): LinkPlace[] {
  const { text, spans } = setAside(withoutFacts(source, readFrontMatter(source)?.end ?? 0));
  const env: Env = { parts: 0, definitions: [] };
  const lines = new Lines(text);
  const found: LinkPlace[] = [];
  let line = 0;
  let from = 0;
  let before: Token | undefined;
  for (const token of parser.parse(text, env)) {
    line = token.map?.[0] ?? line;
    if (token.type === 'html_block')
      found.push(
        ...tagsIn(text.slice(lines.start(line), lines.end(token.map?.[1] ?? line)), lines.start(line)),
      );
    if (token.type === 'inline') {
      const isCell = before?.type === 'th_open' || before?.type === 'td_open';
      const place = isCell ? cellPlace(lines, token.content, line, from) : lines.place(token.content, line);
      // Never changes what the parser does not see there.
      found.push(
        ...linksOfBlock(token, place).filter((link) => isWhole(link, text.slice(link.start, link.end))),
      );
      for (const child of token.children ?? [])
        for (const { span } of child.type === 'text' ? piecesOf(child.content) : []) {
          const at = span === undefined ? undefined : spans[span];
          if (at && /^!?\[\[/.test(source.slice(at.start, at.start + 3)))
            found.push({ kind: 'wiki', isEmbed: source[at.start] === '!', start: at.start, end: at.end });
        }
      from = place.offset(token.content.length);
    }
    before = token;
  }
  for (const definition of env.definitions)
    found.push({ ...definition, kind: 'address', isImage: false, isDefinition: true });
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}

function linksOfBlock(token: Token, place: Place): LinkPlace[] {
  const range = ({ start, end }: Range): Range => ({ start: place.offset(start), end: place.offset(end) });
  const found: LinkPlace[] = [];
  for (const child of token.children ?? []) {
    for (const { isImage, target, ...whole } of (child.meta as WithLinks | null)?.links ?? [])
      found.push({ kind: 'address', isImage, isDefinition: false, ...range(whole), target: range(target) });
    const at = (child as Token & { at?: number }).at;
    if (child.type === 'html_inline' && at !== undefined)
      found.push(...tagsIn(child.content, at).map((tag) => ({ ...tag, ...range(tag) })));
  }
  return found;
}

/** A link between its brackets, or the value of an attribute. */
function isWhole({ kind }: LinkPlace, written: string): boolean {
  return kind === 'tag' ? /^[^<>"\n]+$/.test(written) : /^!?\[[\s\S]*\)$/.test(written);
}

/** In the source of a cell, bars are escaped that are none in its content. */
function cellPlace(lines: Lines, content: string, line: number, from: number): Place {
  const escaped = content.replaceAll('|', '\\|');
  const base = Math.max(lines.start(line), from);
  const at = content === escaped ? -1 : lines.text.slice(base, lines.end(line + 1)).indexOf(escaped);
  if (at < 0) return lines.place(content, line, from);
  const bars = [...content.matchAll(/\|/g)].map(({ index }) => index);
  return { offset: (offset) => base + at + offset + countBelow(bars, offset) };
}

/** Number of entries of a sorted list that are smaller. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Addresses in tags, outside comments. */
function tagsIn(html: string, base: number): LinkPlace[] {
  const found: LinkPlace[] = [];
  // A value may hold the sign that ends a tag.
  const tag = /<!--|<(img|a|area|source|video|audio)(?=[\s/])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>/gi;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const [whole, name, attributes = ''] = match;
    if (name === undefined) {
      const end = html.indexOf('-->', match.index);
      if (end < 0) break;
      tag.lastIndex = end;
      continue;
    }
    const at = base + match.index + whole.length - 1 - attributes.length;
    for (const { start, end } of addressesIn(attributes))
      found.push({ kind: 'tag', element: name.toLowerCase(), start: at + start, end: at + end });
  }
  return found;
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/dg;

function* addressesIn(attributes: string): Generator<Range> {
  for (const { 1: name = '', indices } of attributes.matchAll(attribute)) {
    const [start, end] = indices?.[2] ?? indices?.[3] ?? indices?.[4] ?? [0, 0];
    if (/^(?:src|href|poster)$/i.test(name) && end > start) yield { start, end };
    // Several pictures, each before its size: `small.png 1x, large.png 2x`.
    if (/^srcset$/i.test(name))
      for (const { 1: url = '', index, 0: whole } of attributes
        .slice(start, end)
        .matchAll(/(?:^|,)\s*([^\s,]+)/g))
        yield { start: start + index + whole.length - url.length, end: start + index + whole.length };
  }
}

type InlineRule = (state: StateInline, silent: boolean) => boolean;
type BlockRule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => boolean;

/** The parser keeps its rules by name, and offers no other way to wrap one. */
function ruleNamed<Rule>(ruler: { getRules(chain: string): Rule[] }, name: string): Rule {
  const rules = (ruler as unknown as { __rules__: { name: string; fn: Rule }[] }).__rules__;
  const rule = rules.find((one) => one.name === name);
  if (!rule) throw new Error(`The parser has no rule ${name}.`);
  return rule.fn;
}

/** Notes on the first token of a link where it and its address stand. */
function placing(rule: InlineRule, isImage: boolean): InlineRule {
  return (state, silent) => {
    const start = state.pos;
    const tokens = state.tokens.length;
    if (!rule(state, silent)) return false;
    if (silent) return true;
    const target = targetAt(state, start + (isImage ? 1 : 0));
    const token = state.tokens.slice(tokens).find(({ type }) => type === (isImage ? 'image' : 'link_open'));
    if (target && token) token.meta = { ...token.meta, links: [{ start, end: state.pos, isImage, target }] };
    return true;
  };
}

/** Undefined for links by reference. */
function targetAt(state: StateInline, bracket: number): Range | undefined {
  const { helpers } = state.md;
  const label = helpers.parseLinkLabel(state, bracket, true);
  if (label < 0 || state.src[label + 1] !== '(' || label + 1 >= state.pos) return undefined;
  let start = label + 2;
  while (/\s/.test(state.src[start] ?? '')) start++;
  const { ok, pos } = helpers.parseLinkDestination(state.src, start, state.posMax);
  return ok && pos <= state.pos ? { start, end: pos } : undefined;
}

function placingDefinitions(rule: BlockRule): BlockRule {
  return (state, startLine, endLine, silent) => {
    if (!rule(state, startLine, endLine, silent)) return false;
    if (silent) return true;
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    // The address may stand in the next line.
    const written = state.src.slice(start, state.eMarks[Math.min(startLine + 1, endLine - 1)]);
    const [before, address = ''] =
      /^\[(?:[^\]\\]|\\.){1,1000}\]:[ \t]*(?:\n[ \t>]*)?(<[^<>\n]*>|\S+)/.exec(written) ?? [];
    if (before === undefined) return true;
    const end = start + before.length;
    (state.env as Env).definitions.push({ start, end, target: { start: end - address.length, end } });
    return true;
  };
}
