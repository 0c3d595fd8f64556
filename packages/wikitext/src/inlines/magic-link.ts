/**
 * Links for book and paper numbers, in dialects that have them (`Rules.letters`); Coppice's own does not.
 *
 *   RFC 822        PMID 1234        ISBN 978-0-306-40615-7
 */
import { closeToken, leafToken, openToken } from '../token.ts';
import type { ExternalLinkNode, TextNode } from '../tree.ts';
import type { LetterConstruct, LetterScanner } from './letter-construct.ts';

const space = '(?:[ \\t\\u00a0\\u202f\\u3000]|&nbsp;|&#0{0,6}160;|&#x0{0,6}a0;)';
const spaces = new RegExp(space, 'gi');
const pattern = new RegExp(
  `(?:(RFC|PMID)${space}{1,20}(\\d{1,12})(?!\\w)|ISBN${space}{1,20}((?:97[89](?:${space}|-)?)?(?:\\d(?:${space}|-)?){9}[\\dXx])(?!\\w))`,
  'iy',
);

type Address = (kind: 'RFC' | 'PMID' | 'ISBN', number: string) => string;

/** Links numbers to the address that `address` returns. */
export function magicLinks(address: Address): Record<string, LetterConstruct> {
  const link: LetterConstruct = (scanner, at, limit) => magicLink(address, scanner, at, limit);
  return { R: link, P: link, I: link };
}

function magicLink(address: Address, scanner: LetterScanner, at: number, limit: number): number {
  const { text } = scanner;
  if (scanner.place.inLink || (at > 0 && /\w/.test(text[at - 1] ?? ''))) return at + 1;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match || at + match[0].length > limit || !/^(?:RFC|PMID|ISBN)/.test(match[0])) return at + 1;
  const [all, kind = 'ISBN', number, isbn] = match;
  const end = at + all.length;
  const digits = number ?? (isbn ?? '').replace(/&[^;]*;|[^\dXx]/g, '').toUpperCase();
  scanner.flush(at);
  const node: ExternalLinkNode = {
    type: 'external-link',
    url: address(kind as 'RFC' | 'PMID' | 'ISBN', digits),
    kind: 'text',
    number: 0,
    children: [],
    start: scanner.source(at),
    end: scanner.sourceEnd(end),
  };
  scanner.tokens.push(openToken('a', node.start, node.start, node));
  // The label has plain spaces, whichever spaces the page has.
  const value = `${kind} ${number ?? isbn?.replace(spaces, ' ')}`;
  const label: TextNode = { type: 'text', value, start: node.start, end: node.end };
  scanner.tokens.push(leafToken(label, 0));
  scanner.tokens.push(closeToken('a', node.end, node.end));
  scanner.resume(end);
  return end;
}
