/**
 * Links that a text shows in any case: those outside templates, captions and code. Templates and plugins may leave out links that
 * they are given, so those are not followed.
 */
import { withoutVerbatim } from './dokuwiki-source.ts';
import type { SourceText } from './source-text.ts';

/** A mark without an end reaches to the end of the text, so that it is not searched again for each beginning. */
const unshown =
  /<!--[\s\S]*?(?:-->|$)|<(gallery|imagemap|timeline|nowiki|pre|source|syntaxhighlight|math|includeonly|inputbox|graph|mapframe)\b[^<>]{0,500}(?<!\/)>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const mark = /\{{2,}|\}{2,}|\[\[(?:([^[\]|{}<>\n]{1,1000})(?=\||\]\]))?|\]\]|\n[ \t]*\n/g;

/** Targets as they are written. */
export function plainLinks(source: SourceText): ReadonlySet<string> {
  const found = new Set<string>();
  if (!('language' in source) || source.language === 'markdown' || /^\s*#redirect/i.test(source.text))
    return found;
  const text =
    source.language === 'dokuwiki' ? withoutVerbatim(source.text).rest : source.text.replace(unshown, ' ');
  let braces = 0;
  let brackets = 0;
  for (const [written, target] of text.matchAll(mark)) {
    if (written.startsWith('{')) braces += written.length;
    else if (written.startsWith('}')) braces = Math.max(0, braces - written.length);
    else if (written.startsWith('[')) {
      if (target !== undefined && braces === 0 && brackets === 0) found.add(target.trim());
      brackets++;
    } else if (written === ']]') brackets = Math.max(0, brackets - 1);
    else brackets = 0;
  }
  return found;
}
