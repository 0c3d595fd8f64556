/**
 * Keeps the site's style rules out of page content. Authors may use any class and ID, so rules for the site's interface must
 * not match inside `.markup`, or a page could imitate the site.
 *
 * Every selector with a class, ID or attribute gets `:where(:not(.markup *))` at its subject, which adds no specificity.
 * Left alone are selectors of bare elements, which style content and interface alike, and selectors that begin inside
 * `.markup`, which style what the page languages offer. What the site itself puts into content is styled by `data-`
 * attributes there, as authors cannot write these.
 */

const outside = ':where(:not(.markup *))';

/** Returns `css` with its selectors scoped and comments removed. Expects style rules without nesting. */
export function outsideContent(css: string): string {
  const text = css.replace(/("[^"]*"|'[^']*')|\/\*[\s\S]*?\*\//g, '$1');
  let result = '';
  let from = 0;
  // Number of open braces in a block that is copied unchanged: declarations, a font, keyframes.
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"]*"|'[^']*'|[{}]/g)) {
    if (token === '}') depth = Math.max(0, depth - 1);
    if (token !== '{' || depth++ > 0) continue;
    // Skips statements such as `@import` and the end of the previous block before the selectors.
    const start = Math.max(text.lastIndexOf('}', index), text.lastIndexOf(';', index), from - 1) + 1;
    const prelude = text.slice(start, index);
    if (/^\s*@(media|supports|container|layer)\b/.test(prelude)) depth = 0;
    const isRule = !/^\s*@/.test(prelude);
    result += text.slice(from, start) + (isRule ? scopedList(prelude) : prelude);
    from = index;
  }
  return result + text.slice(from);
}

function scopedList(selectors: string): string {
  // Ignores commas in brackets and strings.
  const list = selectors.match(/(?:"[^"]*"|\([^()]*(?:\((?:[^()]|\([^()]*\))*\)[^()]*)*\)|[^,])+/g) ?? [];
  return list.map(scoped).join(',');
}

function scoped(selector: string): string {
  if (!/[.#[]/.test(selector)) return selector;
  // Matches only children of the box itself, not of elements to which an author gave the class.
  if (/\.markup\s*[\s>]\s*\S/.test(selector))
    return selector.replace(/\.markup(?=\s*>)/, `.markup${outside}`);
  // Pseudo-elements must stay last in a selector.
  return selector.replace(/(?=(?:::[\w-]+|:(?:before|after|first-letter|first-line))*\s*$)/, outside);
}
