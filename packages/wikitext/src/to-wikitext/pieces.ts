/**
 * Joins kept and new parts of a source, and finds invisible constructs, which are kept when the block around them is removed.
 */

import { withClosedComments } from '../comments.ts';
import { switches } from '../constructs.ts';
import type { Rules } from '../options.ts';

/** A text in parts, with the necessary line ends between them. */
export class Pieces {
  #text: string[] = [];
  #end = '';

  get endsLine(): boolean {
    return this.#end.endsWith('\n');
  }

  add(text: string): void {
    if (text === '') return;
    this.#text.push(text);
    this.#end = (this.#end + text.slice(-4)).slice(-4);
  }

  /** Ensures a minimum number of line ends before `next`, counting existing ones. */
  owe(least: number, next: string): void {
    const has =
      (/(?<!\n)\n*$/.exec(this.#end)?.[0].length ?? 0) + (/^\n*/.exec(next.slice(0, 4))?.[0].length ?? 0);
    if (this.#end !== '') this.add('\n'.repeat(Math.max(0, least - has)));
  }

  /** Removes surplus line ends where a block was removed: all of them at the end of the page. */
  trimEnd(isBetween: boolean): void {
    const last = this.#text.length - 1;
    const text = this.#text[last];
    if (text !== undefined)
      this.#text[last] = isBetween ? text.replace(/(?<!\n)\n{3,}$/, '\n\n') : text.replace(/(?<!\n)\n+$/, '');
  }

  toString(): string {
    return this.#text.join('');
  }
}

/** Returns a block's range without white space and invisible constructs at its ends. */
export function trimmedRange(
  source: string,
  { start, end }: { start: number; end: number },
  rules: Rules,
): { start: number; end: number } {
  // Searches end with the block: beyond it, an unclosed part of each block would be searched for to the end of the page.
  const text = source.slice(start, end);
  let from = 0;
  let to = text.length;
  for (;;) {
    while (from < to && text[from] === '\n') from++;
    if (!text.startsWith('<!--', from)) break;
    const close = text.indexOf('-->', from);
    if (close < 0 || close + 3 >= to) break;
    from = close + 3;
  }
  for (;;) {
    while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
    const open = text.startsWith('-->', to - 3) ? '<!--' : text.startsWith(']]', to - 2) ? '[[' : undefined;
    const at = open === undefined ? -1 : text.lastIndexOf(open, to - 3);
    if (at <= from || invisibleParts(text.slice(at, to), rules)[0]?.length !== to - at) break;
    to = at;
  }
  return { start: start + from, end: start + to };
}

/** Returns comments, markers and switches in a source. They are invisible, so no block contains them. */
export function invisibleParts(source: string, rules: Rules): string[] {
  const pattern = /<!--[\s\S]*?-->|\[\[[^[\]|\n]{1,300}:[^[\]\n]{0,300}\]\]|__\p{L}{1,40}__/gu;
  const found = [...withClosedComments(source).matchAll(pattern)].map(({ index, 0: { length } }) =>
    source.slice(index, index + length),
  );
  return found.filter((part) => {
    if (part.startsWith('<')) return true;
    if (part.startsWith('__')) {
      const word = part.slice(2, -2).toLowerCase();
      return switches.has(word) || Object.hasOwn(rules.switches ?? {}, word);
    }
    const [target = '', label] = part.slice(2, -2).split('|');
    return rules.link(target, label !== undefined, () => undefined).kind === 'marker';
  });
}
