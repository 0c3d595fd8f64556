/** IDs of headings, unique on the page regardless of case, and the sections that headings begin. */

import type { Tree } from './parsed-page.ts';
import { inlineText } from './text.ts';
import type { HeadingNode, Section } from './tree.ts';

/** Assigns each heading its ID, taken from its `id` attribute if it has one. Returns the headings in document order. */
export function assignIds(found: HeadingNode[]): HeadingNode[] {
  const headings = found.sort((left, right) => left.start - right.start);
  const taken = new Set<string>();
  const lastNumber = new Map<string, number>();
  for (const heading of headings) {
    const own = heading.attributes?.id;
    const base = own || anchor(inlineText(heading.children)) || 'section';
    const key = foldCase(base);
    let id = base;
    if (taken.has(key)) {
      let number = lastNumber.get(key) ?? 1;
      do id = `${base}_${++number}`;
      while (taken.has(foldCase(id)));
      lastNumber.set(key, number);
    }
    taken.add(id === base ? key : foldCase(id));
    heading.id = id;
  }
  return headings;
}

/** Returns the ID of a heading with this text, which is also the fragment of links to it. */
export function anchor(text: string): string {
  // Fast path: most headings are words separated by single spaces.
  if (!/^\s|\s$|\s\s|[^\S ]|_/.test(text)) return text.replaceAll(' ', '_');
  return text
    .replace(/[ \t\n_]+/g, ' ')
    .replace(/^ | $/g, '')
    .replace(/[\s_]+/g, '_')
    .replace(/(?<=.)_$/, '');
}

/** Old browsers ignore the case of Latin letters when they compare IDs. */
function foldCase(id: string): string {
  if (!/[^\0-\x7f]/.test(id)) return id.toLowerCase();
  return id.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the sections. A section ends at the next heading of the same or a higher level. */
export function sections(tree: Tree): Section[] {
  const list: Section[] = [];
  const open: Section[] = [];
  for (const heading of tree.headings) {
    let top = open[open.length - 1];
    while (top && top.level >= heading.level) {
      top.end = heading.start;
      open.pop();
      top = open[open.length - 1];
    }
    const title = inlineText(heading.children).trim();
    const section = {
      level: heading.level,
      title,
      id: heading.id,
      start: heading.start,
      end: tree.source.length,
    };
    list.push(section);
    open.push(section);
  }
  return list;
}
