/**
 * Escapes wikitext for the place where it is inserted: only markup that would end the call, cell or link too early.
 *
 *   a|b in a parameter    a{{!}}b          a=b without a name    named, or a{{=}}b
 *   a|b in a cell         a&#124;b         }} that closes nothing    &#125;&#125;
 *
 * If the text still does not fit, all its markup is escaped, so that it is shown as written.
 */

import { extensionTags } from '../constructs.ts';
import type { Element } from '../elements.ts';
import { limits } from '../limits.ts';
import type { Rules } from '../options.ts';
import { scan } from '../scan.ts';
import type { Range, SourceNode, SourceTree } from './nodes.ts';
import { childAround } from './queries.ts';

/**
 * The surroundings of inserted text: the rules it is parsed with, the open tags, whose end tags it must not contain, and whether
 * a bar would end the parameter or default around it.
 */
export type Place = { rules: Rules; inside: readonly string[]; isInCall: boolean };

/** Returns the tags around a part of the source that hide their content. */
export function placeOf({ page, rules }: SourceTree, range: Range): Place {
  const inside: string[] = [];
  let isInCall = false;
  let node: SourceNode | undefined = page;
  while (node && 'children' in node) {
    if (node.type === 'extension') inside.push(node.name);
    if (node.type === 'include-only') inside.push('includeonly');
    if (node.type === 'parameter' || node.type === 'argument') isInCall = true;
    else if (holdsBars(node)) isInCall = false;
    node = childAround(node.children, range);
  }
  return { rules, inside, isInCall };
}

/** Whether bars and equals signs within a node count for nothing in a call around it. */
export function holdsBars({ type }: SourceNode): boolean {
  return /^(?:template|extension|link|file|marker)$/.test(type);
}

/** Returns wikitext that shows the plain text. */
export function escapeWikitext(text: string): string {
  return text
    .replace(/[&<>[\]{}|=']|__|~~~|:\/\/|^[*#:; !+-]/gm, (signs) =>
      signs === ' ' ? '&#32;' : `&#${signs.codePointAt(0)};${signs.slice(1)}`,
    )
    .replace(/\b(?=(?:RFC|PMID|ISBN) )([RPI])/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Escapes the value of a parameter. `=` needs no escape if the parameter has a name. */
export function guardParameter(value: string, isPositional: boolean, around: Place): string {
  const place = { ...around, isInCall: false };
  const close = (text: string) =>
    isPositional || !text.endsWith('}') ? text : `${text}${text.includes('\n') ? '\n' : ' '}`;
  const fits = (text: string) => {
    const before = isPositional ? '{{x|' : '{{x|x=';
    const whole = `${before}${text}}}`;
    const [call] = scanned(whole, place);
    const [, part, more] = call?.parts ?? [];
    if (call?.kind !== 'template' || call.start !== 0 || call.end !== whole.length || !part || more)
      return false;
    return isPositional ? part.equals < 0 : part.equals === before.length - 1;
  };
  const signs = isPositional ? /[|=]/g : /\|/g;
  const balanced = balance(value, place, (text, _isFirst, isInLink) =>
    // In `{|}`, replacing the pipe by `{{!}}` would give three braces, which form an argument.
    isInLink
      ? text
      : text.replaceAll('{|}', '&#123;|}').replace(signs, (sign) => `{{${sign === '|' ? '!' : '='}}}`),
  );
  // A call at the end needs no space before the braces that follow, a single brace does.
  if (/\}\}$/.test(balanced) && fits(balanced)) return balanced;
  const guarded = close(balanced);
  if (fits(guarded)) return guarded;
  // A trailing brace would count as part of the end of the call.
  const ended = `${guarded.slice(0, -1)}&#125;`;
  if (guarded.endsWith('}') && fits(ended)) return ended;
  return value.replace(/[&<>[\]{}|=]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Placeholder for the line ends that matter, while a cell is escaped. */
const lineEnd = '\u0001';

/** Escapes the content of a cell, which begins a line or follows `||`. */
export function guardCell(content: string, kind: 'td' | 'th' | 'caption', place: Place): string {
  const guarded = balance(content.replaceAll(lineEnd, ''), place, (text, isFirst, isInLink) => {
    // On the first line of a cell, pipes are separators; on other lines, only the start of the line matters.
    const newline = isFirst ? text.indexOf('\n') : 0;
    const first = isFirst ? text.slice(0, newline < 0 ? text.length : newline) : '';
    const rest = newline < 0 ? '' : text.slice(first.length);
    const pipes = isInLink ? first.replaceAll('||', '|&#124;') : first.replaceAll('|', '&#124;');
    return pipes.replaceAll('!!', kind === 'th' ? '&#33;&#33;' : '!!') + rest.replaceAll('\n', lineEnd);
  });
  // Line ends inside calls and tags do not begin a line of the table.
  const [first = '', ...lines] = guarded.split(lineEnd);
  return [first, ...outsideTables(lines)].join('\n');
}

/** Escapes the first character of lines that would begin a cell or a row, unless they belong to a table within these lines. */
function outsideTables(lines: readonly string[]): string[] {
  let depth = 0;
  const closes = lines.filter((line) => /^\s*\|\}/.test(line)).length;
  let opens = 0;
  return lines.map((line) => {
    if (/^\s*(?::+\s*)?\{\|/.test(line)) {
      if (++opens > closes) return line.replace('{|', '&#123;|');
      depth++;
    } else if (depth > 0) {
      if (/^\s*\|\}/.test(line)) depth--;
    } else
      return line.replace(
        /^(\s*)([|!])/,
        (_all, space: string, sign: string) => `${space}&#${sign.charCodeAt(0)};`,
      );
    return line;
  });
}

/** Escapes the label of a link: other links and line ends would break it. */
export function guardLabel(label: string, place: Place): string {
  return balance(label.replace(/(?<!\s)\s*\n\s*/g, ' '), place, (text) => text)
    .replaceAll('[[', '&#91;&#91;')
    .replaceAll(']]', '&#93;&#93;')
    .replace(/\]$/, '&#93;');
}

/** Escapes the title of a heading: one line that neither begins nor ends with `=`. */
export function guardTitle(title: string, place: Place): string {
  return balance(title.replace(/(?<!\s)\s*\n\s*/g, ' ').trim(), place, (text) => text).replace(
    /^=|=$/g,
    '&#61;',
  );
}

/** Escapes text for a place that may hold any markup, so that nothing stays open in it. */
export function guardText(text: string, place: Place): string {
  return balance(text, place, (part) => part);
}

function scanned(text: string, { rules: { hasLooseNotes, strictCalls, tags } }: Place): Element[] {
  return scan(text, { isIncluded: false, hasTemplates: true, hasLooseNotes, strictCalls, tags });
}

/**
 * Rewrites a part that is in no call and in no tag that hides its content. `isFirst`: it begins on the first line; `isInLink`:
 * it is inside a link.
 */
type Bare = (text: string, isFirst: boolean, isInLink: boolean) => string;

/** Escapes unpaired markup: braces, double brackets, comments, tags that hide their content. */
function balance(written: string, place: Place, bare: Bare): string {
  if (written.length > limits.expandedLength)
    throw new RangeError(`A change has at most ${limits.expandedLength} characters.`);
  const text = withoutEndTags(written, place);
  const elements = scanned(text, place);
  const pieces: Piece[] = [];
  let at = 0;
  for (let index = 0; index < elements.length; ) {
    const element = elements[index];
    if (!element) break;
    const whole = text.slice(element.start, element.end);
    if (!isClosed(element, whole)) {
      // The element has no end, so later ones of its kind have none either.
      const rest = text
        .slice(element.start)
        .replace(element.kind === 'comment' ? /<(?=!--)/g : /<(?=includeonly)/gi, '&lt;');
      return balance(text.slice(0, element.start) + rest, place, bare);
    }
    pieces.push({ text: text.slice(at, element.start), at, isBare: true });
    pieces.push({ text: whole, at: element.start, isBare: false });
    at = element.end;
    index = element.next;
  }
  pieces.push({ text: text.slice(at), at, isBare: true });
  return linked(pieces, place, bare);
}

/**
 * Escapes end tags of the tags around the text, because the first one would end them wherever it stands. Nested notes may be
 * allowed.
 */
function withoutEndTags(text: string, { inside, rules }: Place): string {
  let out = text;
  for (const name of inside) {
    const ends = out.match(new RegExp(`</${name}\\s*>`, 'gi'))?.length ?? 0;
    if (ends === 0) continue;
    const starts = out.match(new RegExp(`<${name}(?:\\s[^<>]*)?(?<!/)>`, 'gi'))?.length ?? 0;
    if (extensionTags.get(name)?.nests && rules.hasLooseNotes && starts === ends) continue;
    out = out.replace(new RegExp(`<(?=/${name}\\s*>)`, 'gi'), '&lt;');
  }
  return out;
}

type Piece = { text: string; at: number; isBare: boolean };

/** Whether the comment or tag has an end of its own, rather than ending with the text. */
function isClosed({ kind, name }: Element, written: string): boolean {
  if (kind === 'comment') return written.trimEnd().endsWith('-->');
  if (kind === 'skip') return name !== 'includeonly' || /<\/includeonly\s*>$|^<[^>]*\/>$/i.test(written);
  return true;
}

/** Skips closed `[[…]]` as well and escapes unpaired brackets. */
function linked(pieces: readonly Piece[], place: Place, bare: Bare): string {
  // Offsets in the whole text, because a pair may begin in one bare piece and end in another.
  const open: number[] = [];
  const paired = new Map<number, number>();
  for (const piece of pieces) {
    if (!piece.isBare) continue;
    for (const sign of piece.text.matchAll(/\[\[|\]\]/g)) {
      const at = piece.at + sign.index;
      if (sign[0] === '[[') open.push(at);
      else {
        const start = open.pop();
        if (start !== undefined) {
          paired.set(start, at);
          paired.set(at, at);
        }
      }
    }
  }
  const shown: Bare = (text, isFirst, isInLink) => {
    const guarded = bare(text, isFirst, isInLink);
    if (!place.isInCall || isInLink) return guarded;
    return guarded.replaceAll('{|}', '&#123;|}').replaceAll('|', '{{!}}');
  };
  let depth = 0;
  let out = '';
  let isFirst = true;
  for (const piece of pieces) {
    if (!piece.isBare) {
      out += piece.text;
      continue;
    }
    let from = 0;
    const take = (to: number) => {
      const part = escapeSingle(piece.text.slice(from, to), place);
      out += shown(part, isFirst, depth > 0);
      if (part.includes('\n')) isFirst = false;
    };
    for (const sign of piece.text.matchAll(/\[\[|\]\]/g)) {
      take(sign.index);
      from = sign.index + 2;
      const isPaired = paired.has(piece.at + sign.index);
      if (isPaired) depth += sign[0] === '[[' ? 1 : -1;
      out += isPaired ? sign[0] : sign[0] === '[[' ? '&#91;&#91;' : '&#93;&#93;';
    }
    take(piece.text.length);
  }
  return out;
}

/** Escapes braces and tags that are unpaired here and could pair with others after insertion. */
function escapeSingle(text: string, { rules: { tags } }: Place): string {
  return text
    .replace(/\{{2,}|\}{2,}/g, (signs) => `&#${signs.charCodeAt(0)};`.repeat(signs.length))
    .replace(/<(?=!--)|<(?=\/?([a-z]{1,16})[\s/>])/gi, (sign, name: string | undefined) =>
      name === undefined ||
      extensionTags.has(name.toLowerCase()) ||
      tags?.has(name.toLowerCase()) ||
      /^(?:noinclude|includeonly|onlyinclude)$/i.test(name)
        ? '&lt;'
        : sign,
    );
}
