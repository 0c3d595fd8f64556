/**
 * `data-source`: the source range of an element.
 *
 *   a {{Box}}    <p data-source="0-9">a <b data-source="2-9">…</b></p>        what a call brought names the call
 */
import type { Origin } from '../tree.ts';

/** Returns the source range of the expanded text between two offsets; undefined if it has none. */
export function sourceRange(
  origins: readonly Origin[],
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  if (start >= end) return undefined;
  if (origins.length === 0) return { start, end };
  const first = originAt(origins, start);
  const last = originAt(origins, end - 1);
  if (!first || !last) return undefined;
  return {
    start: first.isCall ? first.start : first.start + start - first.at,
    end: last.isCall ? last.end : last.start + end - last.at,
  };
}

/** Adds the source range to the first tag of `html`. Text and comments get none. */
export function withSource(html: string, range: { start: number; end: number } | undefined): string {
  const name = range && /^<[a-z][a-z0-9]*/.exec(html)?.[0];
  return name ? `${name} data-source="${range.start}-${range.end}"${html.slice(name.length)}` : html;
}

function originAt(origins: readonly Origin[], offset: number): Origin | undefined {
  let low = 0;
  let high = origins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((origins[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return origins[low - 1];
}
