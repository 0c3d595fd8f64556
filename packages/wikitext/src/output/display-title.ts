/**
 * `{{DISPLAYTITLE:''Quercus''}}`: how the page's title is displayed.
 *
 * The displayed text must equal the title, so that it cannot imitate another page. Only case may differ, and underscores may
 * replace spaces, as with MediaWiki's `$wgRestrictDisplayTitle`. Only text elements are allowed, with no attributes but language
 * and direction, so that no part can be hidden.
 */
import { escapeText, writeAttributes } from '../html.ts';
import type { Rules } from '../options.ts';
import { parse } from '../parse.ts';
import { safeAttribute } from '../sanitize.ts';
import { inlineText } from '../text.ts';
import type { Node } from '../tree.ts';

const longest = 2000;
const elements = new Set(
  'abbr b bdi bdo big cite code del dfn em i ins kbd mark q s samp small span strong sub sup tt u var'.split(
    ' ',
  ),
);
const attributes = ['lang', 'dir'];

/** Returns the HTML of the title `written`, in wikitext with templates expanded; undefined if its text differs from `title`. */
export function displayTitle(written: string, title: string, rules?: Rules): string | undefined {
  if (written.length > longest) return undefined;
  const { children } = parse(written, { expanded: true, ...(rules ? { rules } : {}) });
  return reading(inlineText(children)) === reading(title) ? html(children).trim() : undefined;
}

/** Titles that differ only in case lead to the same page. */
function reading(title: string): string {
  return title
    .normalize('NFC')
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase();
}

function html(nodes: readonly Node[]): string {
  let out = '';
  for (const node of nodes) {
    if (node.type === 'text') out += escapeText(node.value.replace(/\s+/g, ' '));
    else if (node.type === 'extension') out += escapeText(inlineText([node]));
    else if (node.type === 'element' && elements.has(node.name)) {
      const safe = attributes.map((name) => [
        name,
        safeAttribute(node.name, name, node.attributes?.[name] ?? '') || undefined,
      ]);
      out += `<${node.name}${writeAttributes(Object.fromEntries(safe))}>${html(node.children)}</${node.name}>`;
    } else if ('children' in node && node.children) out += html(node.children);
  }
  return out;
}
