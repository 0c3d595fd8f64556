/**
 * Names what extensions of the source add to wikitext and this wiki does not have: `<tabber>`, `<youtube>`, `{{#ask:…}}`,
 * `{{#cargo_query:…}}`. The texts keep them, so that nothing is lost.
 */
import type { Rules } from '@coppice/wikitext';
import { allowedElements, extensionTags, functions } from '@coppice/wikitext/build';
import type { Approximation } from '../source.ts';
import { endOfElement } from '../wikitext-links.ts';
import { pictureOfMap } from './image-map.ts';
import type { LocalWords } from './local-words.ts';

const maxNamed = 1000;
const maxShown = 200;
const hidden = /^(?:nowiki|pre|syntaxhighlight|source|math)$/i;
/** Tags of the language that are no elements. */
const own = /^(?:noinclude|includeonly|onlyinclude|translate|tvar|section|languages|ce|chem|img|center)$/;
const token =
  /<!--|<([a-z][a-z\d_-]{0,40})(?=[\s/>])[^<>]{0,1000}>|\{\{\s*(?:(?:safe)?subst:\s*)?(#[^\s{}|<>:=]{1,50})\s*(?=:)/gi;

export function foreignConstructs(body: string, rules: Rules, words?: LocalWords): Approximation[] {
  const found: Approximation[] = [];
  const unclosed = new Set<string>();
  const matcher = new RegExp(token);
  for (let match = matcher.exec(body); match && found.length < maxNamed; match = matcher.exec(body)) {
    const [whole, written, called] = match;
    const tag = written?.toLowerCase();
    if (called !== undefined) {
      const name = (words?.word(called) ?? rules.word?.(called) ?? called).toLowerCase();
      if (!Object.hasOwn(functions, name) && name !== '#invoke')
        found.push(named(`function ${called}`, body, match.index));
      continue;
    }
    const isOpen = !whole.endsWith('/>');
    if (tag === undefined || hidden.test(tag)) {
      const end = isOpen ? endOfElement(body, tag ?? '--', matcher.lastIndex, unclosed) : 0;
      if (end > 0) matcher.lastIndex = end;
    } else if (isForeign(tag, rules)) {
      const end = isOpen ? endOfElement(body, tag, matcher.lastIndex, unclosed) : matcher.lastIndex;
      // Without an end it is a word in angle brackets.
      const isShown = tag === 'imagemap' && pictureOfMap(body.slice(match.index, end)) !== undefined;
      if (end > 0 && !isShown) found.push(named(`tag <${tag}>`, body, match.index, end));
      if (end > 0) matcher.lastIndex = end;
    }
  }
  return found;
}

function isForeign(tag: string, rules: Rules): boolean {
  if (allowedElements.has(tag) || extensionTags.has(tag) || own.test(tag)) return false;
  const known = rules.tags?.get(tag);
  return known === undefined || known === 'missing';
}

function named(construct: string, body: string, from: number, to = from + maxShown): Approximation {
  const before = body.slice(from, Math.min(to, from + maxShown));
  return { construct: `${construct}, which this wiki does not support`, before, after: before };
}
