/**
 * Edits of words. If the edited HTML has the elements of the rendered one and only texts differ, each difference is made in the
 * source itself, so that all else keeps its bytes: other cells and items of a block, calls, references, formulas.
 *
 *   A {{Word}} c        with `A` changed to `B` becomes        B {{Word}} c
 *
 * A text is looked for between the places of the elements around it. If it does not stand there exactly once, or if the new
 * text could be markup, the result is undefined, and `selective` writes the block again.
 */
import { extensionTags } from '../constructs.ts';
import { limits } from '../limits.ts';
import type { Rules } from '../options.ts';
import { scan } from '../scan.ts';
import { type HtmlNode, hasClass } from './html-tree.ts';
import { isNoteList, type Range, rangeOf } from './source-blocks.ts';

type TextEdit = { old: string; now: string; within: Range };
type Change = Range & { text: string };

/** Each text is searched for in a part of the source, so their number bounds the work. */
const mostEdits = 50;

/** Returns the source with the changed texts; undefined if more than texts has changed or a place is uncertain. */
export function editTexts(
  source: string,
  before: readonly HtmlNode[],
  after: readonly HtmlNode[],
  rules: Rules,
): string | undefined {
  const edits: TextEdit[] = [];
  if (!compare(before, after, { start: 0, end: source.length }, source, edits)) return undefined;
  const shown = hideMarkup(source, rules);
  const changes: Change[] = [];
  for (const edit of edits) {
    const change = changeOf(edit, source, shown);
    if (!change) return undefined;
    changes.push(change);
  }
  changes.sort((one, other) => one.start - other.start);
  let out = '';
  let at = 0;
  for (const { start, end, text } of changes) {
    if (start < at) return undefined;
    out += source.slice(at, start) + text;
    at = end;
  }
  return out + source.slice(at);
}

/** Collects the texts that differ. Returns false if anything else does. */
function compare(
  before: readonly HtmlNode[],
  after: readonly HtmlNode[],
  within: Range,
  source: string,
  edits: TextEdit[],
): boolean {
  if (before.length !== after.length) return false;
  for (const [index, old] of before.entries()) {
    const now = after[index];
    if (old.type === 'element') {
      if (now?.type !== 'element' || now.name !== old.name) return false;
      if (JSON.stringify(now.attributes) !== JSON.stringify(old.attributes)) return false;
      // The renderer writes contents anew, whatever they say.
      if (hasClass(old, 'toc')) continue;
      // Notes stand anywhere in the source.
      const inside = isNoteList(old)
        ? { start: 0, end: source.length }
        : (rangeOf(old) ?? gapAt(before, index, within));
      if (!compare(old.children, now.children, inside, source, edits)) return false;
    } else if (now?.type !== old.type) return false;
    else if (now.value !== old.value) {
      if (old.type !== 'text' || edits.length >= mostEdits) return false;
      edits.push({ old: old.value, now: now.value, within: gapAt(before, index, within) });
    }
  }
  return true;
}

/** Returns the range between the nearest siblings that have one. */
function gapAt(nodes: readonly HtmlNode[], index: number, within: Range): Range {
  let { start, end } = within;
  for (let at = index - 1; at >= 0; at--) {
    const range = rangeOf(nodes[at] as HtmlNode);
    if (!range) continue;
    start = Math.max(start, range.end);
    break;
  }
  for (let at = index + 1; at < nodes.length; at++) {
    const range = rangeOf(nodes[at] as HtmlNode);
    if (!range) continue;
    end = Math.min(end, range.start);
    break;
  }
  return { start, end: Math.max(start, end) };
}

/** Characters on each side of a change that are searched for if the whole text is not found, for example for its references. */
const windows = [Number.POSITIVE_INFINITY, 60, 20];
/** Shortest part of a text that identifies it. */
const shortestPart = 10;

function changeOf({ old, now, within }: TextEdit, source: string, shown: string): Change | undefined {
  const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? ' ');
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let same = 0;
  while (
    same < Math.min(old.length, now.length) - from &&
    old[old.length - 1 - same] === now[now.length - 1 - same]
  )
    same++;
  // Whole words are replaced.
  while (from > 0 && !isSpace(old, from - 1)) from--;
  while (same > 0 && !isSpace(old, old.length - same)) same--;
  const to = old.length - same;
  const text = now.slice(from, now.length - same);
  const part = shown.slice(within.start, within.end);
  for (const size of windows) {
    let left = Math.max(0, from - size);
    let right = Math.min(old.length, to + size);
    while (left < from && isSpace(old, left)) left++;
    while (right > to && isSpace(old, right - 1)) right--;
    const known = old.slice(left, right);
    if (known.trim() === '' || (size !== windows[0] && known.length < shortestPart)) return undefined;
    const found = part.indexOf(known);
    if (found < 0) continue;
    if (part.includes(known, found + 1) || isWithinWord(part, found, found + known.length)) return undefined;
    const start = within.start + found + from - left;
    const change = { start, end: start + to - from, text };
    return isPlain(change, source, shown) ? change : undefined;
  }
  return undefined;
}

function isWithinWord(text: string, start: number, end: number): boolean {
  const joins = (at: number) => /^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1));
  return (start > 0 && joins(start)) || joins(end);
}

/** Whether the new text cannot be markup or become part of some where it is put. */
function isPlain({ start, end, text }: Change, source: string, shown: string): boolean {
  if (!/^[\p{L}\p{M}\p{N} ,.()%?"“”„«»‘’–—…-]*$/u.test(text)) return false;
  if (/(?:RFC|PMID|ISBN)\s*$/.test(source.slice(Math.max(0, start - 6), start) + text)) return false;
  const before = source[start - 1] ?? '\n';
  const after = source[end] ?? '\n';
  // A word at the end of a link belongs to it, a sign after a mark may make another mark, a space at a line start is code.
  if (!/[\p{L}\p{M}\p{N}\s,.()%?"“”„«»‘’–—…-]/u.test(before) && !/^[\p{L}\p{N}]/u.test(text)) return false;
  if (before === '\n' && !/^[\p{L}\p{N}(“„«"]/u.test(text)) return false;
  if (text === '' && !/[\s,.]/.test(after)) return false;
  const touches = (at: number, sign: string) => shown[at] === '\0' && !/[{}<>|]/.test(sign);
  if (before === ']' || touches(start - 1, before)) return text.startsWith(' ');
  return !(touches(end, after) && /\S$/.test(text));
}

// Markup --------------------------------------------------------------------------------------------------------------

/** Attributes of tables, rows and cells, targets of links, tags and addresses. */
const hiddenMarkup =
  /^[ \t:]*\{\|.*|^[ \t]*\|-.*|(?:^[ \t]*[|!]|\|\||!!)[^|\n[{]*=[^|\n[{]*\|(?!\|)|\[\[[^[\]|\n]*(?:\||(?=\]\]))|<[^<>]*>|\[?(?:[a-z]{2,9}:)?\/\/[^\s\]<>|]*/gim;

/** Returns the source with everything that is not text of the page itself replaced by NULs. */
function hideMarkup(source: string, rules: Rules): string {
  const hidden: Range[] = [];
  hideElements(source, 0, rules, 0, hidden);
  let out = '';
  let at = 0;
  for (const { start, end } of hidden) {
    if (start < at) continue;
    out += source.slice(at, start) + '\0'.repeat(end - start);
    at = end;
  }
  return (out + source.slice(at)).replace(hiddenMarkup, (markup) => '\0'.repeat(markup.length));
}

/** Collects calls, comments, and tags with content other than wikitext, in source order. */
function hideElements(text: string, base: number, rules: Rules, depth: number, hidden: Range[]): void {
  const { hasLooseNotes, strictCalls, tags } = rules;
  const elements = scan(text, { isIncluded: false, hasTemplates: true, hasLooseNotes, strictCalls, tags });
  for (let index = 0; index < elements.length; ) {
    const element = elements[index];
    if (!element) break;
    index = element.next;
    const { kind, name, start, end, bodyStart, bodyEnd } = element;
    const isText = kind === 'extension' && bodyStart >= 0 && (name === 'nowiki' || name === 'pre');
    const inside = kind === 'extension' && bodyStart >= 0 && extensionTags.get(name)?.inside;
    if (!isText && (!inside || depth >= limits.fragmentDepth)) {
      hidden.push({ start: base + start, end: base + end });
      continue;
    }
    hidden.push({ start: base + start, end: base + bodyStart });
    if (!isText) hideElements(text.slice(bodyStart, bodyEnd), base + bodyStart, rules, depth + 1, hidden);
    hidden.push({ start: base + bodyEnd, end: base + end });
  }
}
