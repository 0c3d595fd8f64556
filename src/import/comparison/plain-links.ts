/**
 * Links that a text shows in any case: those outside templates, captions and code. Templates and plugins may leave out links that
 * they are given, so those are not followed.
 */

import { percentDecoded } from '#core/model/path.ts';
import { withoutVerbatim } from './dokuwiki-source.ts';
import type { ShownLink } from './shown.ts';
import type { SourceText } from './source-text.ts';

/** A mark without an end reaches to the end of the text, so that it is not searched again for each beginning. */
const unshown =
  /<!--[\s\S]*?(?:-->|$)|<(gallery|imagemap|timeline|nowiki|pre|source|syntaxhighlight|math|includeonly|inputbox|graph|mapframe)\b[^<>]{0,500}(?<!\/)>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const mark =
  /\{{2,}|\}{2,}|\[\[(?:([^[\]|{}<>\n]{1,1000})(?=(?:\|([^[\]{}|<>\n]{0,500}))?\]\]([a-z]{0,60})|\|))?|\]\]|\n[ \t]*\n/g;

/** Targets as they are written, decoded, and the words of each link; empty where these are not known. */
export function plainLinks(source: SourceText): ShownLink[] {
  const found: ShownLink[] = [];
  if (!('language' in source) || source.language === 'markdown' || /^\s*#redirect/i.test(source.text))
    return found;
  const text =
    source.language === 'dokuwiki' ? withoutVerbatim(source.text).rest : source.text.replace(unshown, ' ');
  let braces = 0;
  let brackets = 0;
  for (const [written, target, label, trail] of text.matchAll(mark)) {
    if (written.startsWith('{')) braces += written.length;
    else if (written.startsWith('}')) braces = Math.max(0, braces - written.length);
    else if (written.startsWith('[')) {
      if (target !== undefined && braces === 0 && brackets === 0)
        found.push({
          text: wordsOf(source.language, target, label, trail),
          href: percentDecoded(target.trim()),
        });
      brackets++;
    } else if (written === ']]') brackets = Math.max(0, brackets - 1);
    else brackets = 0;
  }
  return found;
}

/** A link without words shows its target in wikitext, and the title of the page in DokuWiki. A pipe alone leaves parts out. */
function wordsOf(
  language: 'wikitext' | 'dokuwiki',
  target: string,
  label: string | undefined,
  trail: string | undefined,
): string {
  // A label with markup of its own.
  if (trail === undefined) return '';
  if (language === 'dokuwiki') return label ?? '';
  return `${label ?? target}${label === '' ? '' : trail}`;
}
