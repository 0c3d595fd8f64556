/** Tags of extensions within arguments, which most functions pass over: `{{uc: a <nowiki>b</nowiki> }}` is `A b`. */
import type { CallExpander } from './call.ts';

const tags = /<(\/?)([a-z]+)\b[^<>]*>/gi;

/** Text before, between and after extensions at even places, and at odd ones the extensions with their insides. */
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

/** Text without extensions. */
export function withoutExtensions(expander: CallExpander, text: string): string {
  return changed(expander, text, as, () => '');
}

/** Changes what stands outside of extensions, which stay. */
export function outsideExtensions(
  expander: CallExpander,
  text: string,
  change: (text: string) => string,
): string {
  return changed(expander, text, change, as);
}

/** Text with the inside of each nowiki instead of it. */
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
