/**
 * Joins kept and new parts of a source, and finds invisible constructs, which are kept when the block around them is removed.
 */

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
  let from = start;
  let to = end;
  for (;;) {
    while (from < to && source[from] === '\n') from++;
    if (!source.startsWith('<!--', from)) break;
    const close = source.indexOf('-->', from);
    if (close < 0 || close + 3 >= to) break;
    from = close + 3;
  }
  for (;;) {
    while (to > from && /\s/.test(source[to - 1] ?? '')) to--;
    const open = source.startsWith('-->', to - 3)
      ? '<!--'
      : source.startsWith(']]', to - 2)
        ? '[['
        : undefined;
    const at = open === undefined ? -1 : source.lastIndexOf(open, to - 3);
    if (at <= from || invisibleParts(source.slice(at, to), rules)[0]?.length !== to - at) break;
    to = at;
  }
  return { start: from, end: to };
}

/** Returns comments, markers and switches in a source. They are invisible, so no block contains them. */
export function invisibleParts(source: string, rules: Rules): string[] {
  const found =
    source.match(/<!--[\s\S]*?-->|\[\[[^[\]|\n]{1,300}:[^[\]\n]{0,300}\]\]|__\p{L}{1,40}__/gu) ?? [];
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
