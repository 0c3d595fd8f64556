/** Names of calls, which may contain comments and other calls. */
import type { Element } from '../elements.ts';
import type { Range } from './nodes.ts';

/** Returns a call's name without comments. The name is computed if it contains a call or an argument. */
export function nameOf(
  elements: readonly Element[],
  index: number,
  text: string,
  part: Range,
): { name: string; isComputed: boolean } {
  let name = '';
  let from = part.start;
  let isComputed = false;
  for (let next = index + 1; ; ) {
    const inner = elements[next];
    if (!inner || inner.start >= part.end) break;
    if (inner.kind === 'comment' || inner.kind === 'skip') {
      name += text.slice(from, inner.start);
      from = inner.end;
    } else isComputed = true;
    next = inner.next;
  }
  return { name: (name + text.slice(from, part.end)).trim(), isComputed };
}
