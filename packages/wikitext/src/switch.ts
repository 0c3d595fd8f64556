/**
 * switch ::= '__' name '__'        in any case
 *
 *   __TOC__          the table of contents stands here
 *   __NOTOC__        there is none           __FORCETOC__   there is one, however few headings
 *
 * Other names that MediaWiki knows are removed without effect; anything else stays as written. Switches are removed before
 * anything else is parsed, so that a list or a heading may begin directly after one; space after a switch that begins a line is
 * removed with it.
 */
import { char, isLetter } from './characters.ts';
import { switches } from './constructs.ts';
import type { Context } from './context.ts';
import { extensionNode } from './extension-node.ts';
import type { ExtensionNode } from './tree.ts';

const longestName = 40;

export type Switch = { start: number; end: number; contents: ExtensionNode | undefined };

/** Returns the next switch in `text` at or after `from` and records it in the context. `base`: offset of `text` in the page. */
export function nextSwitch(context: Context, text: string, from: number, base: number): Switch | undefined {
  const local = context.rules.switches;
  for (let start = text.indexOf('__', from); start >= 0; start = text.indexOf('__', start + 1)) {
    let nameEnd = start + 2;
    // A single underscore separates words of a name.
    while (
      isLetter(text.charCodeAt(nameEnd)) ||
      (nameEnd > start + 2 &&
        text.charCodeAt(nameEnd) === char.underscore &&
        isLetter(text.charCodeAt(nameEnd + 1)))
    )
      nameEnd++;
    // Names in other languages contain other letters, and underscores between words.
    if (local && !text.startsWith('__', nameEnd)) {
      const length = text.slice(start + 2, start + 2 + longestName).indexOf('__');
      if (length > 0 && Object.hasOwn(local, text.slice(start + 2, start + 2 + length).toLowerCase()))
        nameEnd = start + 2 + length;
    }
    if (!text.startsWith('__', nameEnd)) {
      // No switch begins among the letters just read.
      if (nameEnd > start + 2) start = nameEnd - 1;
      continue;
    }
    const written = text.slice(start + 2, nameEnd).toLowerCase();
    const name = (local && Object.hasOwn(local, written) && local[written]) || written;
    if (!switches.has(name)) continue;
    const end = nameEnd + 2;
    const isFirst = name === 'toc' && !context.switches.has(name);
    context.switches.add(name);
    return {
      start,
      end,
      contents: isFirst
        ? extensionNode({ name: 'toc' }, { start: base + start, end: base + end })
        : undefined,
    };
  }
  return undefined;
}
