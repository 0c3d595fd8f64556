/**
 * switch ::= '__' name '__'        in any case
 *
 *   __TOC__          the table of contents stands here
 *   __NOTOC__        there is none           __FORCETOC__   there is one, however few headings
 *
 * Other names that MediaWiki knows are taken and show nothing; anything else stays as it was written.
 */
import { effect } from '../prepared.ts';
import { leafToken } from '../token.ts';
import type { ExtensionNode } from '../tree.ts';
import type { Construct } from './inline.ts';

const names = new Set(
  'toc notoc forcetoc noeditsection newsectionlink nonewsectionlink nogallery hiddencat expectunusedcategory expectunusedtemplate index noindex staticredirect nocontentconvert nocc notitleconvert notc start end disambig noglobal'.split(
    ' ',
  ),
);
const longest = 24;

export const behaviourSwitch: Construct = (scanner, at, limit) => {
  const { text } = scanner;
  if (text.charCodeAt(at + 1) !== 95) return at + 1;
  let end = at + 2;
  while (end - at < longest && isLetter(text.charCodeAt(end))) end++;
  if (text.charCodeAt(end) !== 95 || text.charCodeAt(end + 1) !== 95 || end + 2 > limit) return at + 1;
  const name = text.slice(at + 2, end).toLowerCase();
  if (!names.has(name)) return at + 1;
  scanner.flush(at);
  scanner.resume(end + 2);
  const { switches } = scanner.context;
  if (name === 'toc' && !switches.has('toc')) {
    const node: ExtensionNode = {
      type: 'extension',
      name: 'toc',
      attributes: {},
      body: undefined,
      children: undefined,
      start: scanner.source(at),
      end: scanner.sourceEnd(end + 2),
    };
    scanner.tokens.push(leafToken(node, effect.closesBlock));
    scanner.effects |= effect.closesBlock;
  }
  switches.add(name);
  return end + 2;
};

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
