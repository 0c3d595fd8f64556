/** Extension tags within arguments, which most functions leave unchanged: `{{uc: a <nowiki>b</nowiki> }}` is `A b`. */
import type { CallExpander } from './call.ts';

const tags = /<(\/?)([a-z]+)\b[^<>]*>/gi;

/** Splits a text at extensions: even indexes hold the text around them, odd ones the extensions with their content. */
function parts(expander: CallExpander, text: string): string[] {
  const found: string[] = [];
  let at = 0;
  let open: { name: string; start: number } | undefined;
  for (const { 0: written, 1: slash, 2: name = '', index: start } of text.matchAll(tags)) {
    const tag = name.toLowerCase();
    if (!expander.isExtension(tag)) continue;
    const isAlone = written.endsWith('/>');
    if (open ? slash === '' || tag !== open.name : slash !== '') continue;
    if (!open && !isAlone) {
      open = { name: tag, start };
      continue;
    }
    const from = open?.start ?? start;
    found.push(text.slice(at, from), text.slice(from, start + written.length));
    at = start + written.length;
    open = undefined;
  }
  found.push(text.slice(at));
  return found;
}

/** Returns the text without extensions. */
export function withoutExtensions(expander: CallExpander, text: string): string {
  return changed(expander, text, as, () => '');
}

/** Changes only the text outside extensions. */
export function outsideExtensions(
  expander: CallExpander,
  text: string,
  change: (text: string) => string,
): string {
  return changed(expander, text, change, as);
}

/** Replaces each nowiki tag with its content. */
export function withoutNowiki(expander: CallExpander, text: string): string {
  return changed(expander, text, as, (extension) =>
    /^<nowiki\b/i.test(extension) ? extension.replace(/^<[^<>]*>|<\/nowiki[^<>]*>$/gi, '') : extension,
  );
}

const as = (text: string) => text;

function changed(
  expander: CallExpander,
  text: string,
  changeText: (text: string) => string,
  changeExtension: (text: string) => string,
): string {
  if (!text.includes('<')) return changeText(text);
  return parts(expander, text)
    .map((part, index) => (index % 2 === 0 ? changeText(part) : changeExtension(part)))
    .join('');
}
