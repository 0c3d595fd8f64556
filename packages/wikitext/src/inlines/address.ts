/** Addresses that become links, in single brackets and bare in the text. See `external-link.ts` for the grammar. */
import { char } from '../characters.ts';
import { closeToken, leafToken, openToken, textToken } from '../token.ts';
import type { ExternalLinkNode, TextNode } from '../tree.ts';
import { cleanUrl, freeUrlEnd, schemeEnd, schemeStart, urlEnd } from './external-link.ts';
import type { Construct, Inline } from './inline.ts';

/** Returns 0 if no bracketed address begins at `at`. */
export const externalLink: Construct = (scanner, at, limit) => {
  if (scanner.place.inLink) return 0;
  const { text } = scanner;
  const afterScheme = schemeEnd(text, at + 1);
  if (afterScheme < 0) return 0;
  const end = urlEnd(text, afterScheme, limit);
  if (end === afterScheme) return 0;
  const close = closingBracket(scanner, end, limit);
  if (close < 0) return 0;
  let urlStop = end;
  const entity = /&(?:lt|gt);/.exec(text.slice(at + 1, end));
  if (entity) urlStop = at + 1 + entity.index;
  let labelStart = urlStop;
  if (urlStop === end) while (labelStart < close && isBlank(text, labelStart)) labelStart++;
  const hasLabel = labelStart < close;
  scanner.flush(at);
  const start = scanner.source(at);
  const stop = scanner.sourceEnd(close + 1);
  const node: ExternalLinkNode = {
    type: 'external-link',
    url: cleanUrl(text.slice(at + 1, urlStop)),
    kind: hasLabel ? 'text' : 'numbered',
    number: hasLabel ? 0 : ++scanner.context.externalNumber,
    children: [],
    start,
    end: stop,
  };
  scanner.tokens.push(openToken('a', start, scanner.source(labelStart), node));
  if (hasLabel) {
    const outer = scanner.place;
    scanner.place = { ...outer, inLink: true };
    scanner.resume(labelStart);
    scanLabel(scanner, labelStart, close);
    scanner.place = outer;
  }
  scanner.tokens.push(closeToken('a', stop - 1, stop));
  scanner.resume(close + 1);
  return close + 1;
};

/** Scans the label into the token list of the line, because apostrophes in it pair with those around it. */
function scanLabel(scanner: Inline, from: number, to: number): void {
  scanner.scan(from, to);
}

export const freeLink: Construct = (scanner, at, limit) => {
  if (scanner.place.inLink) return at + 1;
  const { text } = scanner;
  const from = scanner.textStart;
  const start = schemeStart(text, at, from);
  if (start < 0) return at + 1;
  const afterScheme = schemeEnd(text, start);
  const all = urlEnd(text, afterScheme, limit);
  if (all === afterScheme) return at + 1;
  const end = freeUrlEnd(text, start, afterScheme, all);
  // A character reference to a bracket or space ends the address, and no other address begins in the same word.
  if (end < 0) return all;
  scanner.flush(start);
  const node: ExternalLinkNode = {
    type: 'external-link',
    url: cleanUrl(text.slice(start, end)),
    kind: 'free',
    number: 0,
    children: [],
    start: scanner.source(start),
    end: scanner.sourceEnd(end),
  };
  scanner.tokens.push(openToken('a', node.start, node.start, node));
  const isPlain = node.url === text.slice(start, end);
  if (isPlain) scanner.tokens.push(textToken(start, end));
  else {
    const label: TextNode = { type: 'text', value: node.url, start: node.start, end: node.end };
    scanner.tokens.push(leafToken(label, 0));
  }
  scanner.tokens.push(closeToken('a', node.end, node.end));
  scanner.resume(end);
  return all;
};

/** Returns the offset of the first `]` on the line that does not belong to an inner `[[…]]`, or -1. */
function closingBracket(scanner: Inline, from: number, limit: number): number {
  if (from < scanner.noBracketEndBefore) return -1;
  const { text, brackets } = scanner;
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === char.closeBracket) return at;
    if (code === char.newline) break;
    if (code === char.openBracket) {
      const inner = brackets.get(at);
      if (inner && inner.end <= limit) {
        at = inner.end;
        continue;
      }
    }
    at++;
  }
  scanner.noBracketEndBefore = at;
  return -1;
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === char.space || (code >= char.fixedSpace && /\p{Zs}/u.test(text[at] ?? ''));
}
