/** Outline of a whole source, stored outside memory: its pages, and targets of redirects. */
import { Problem } from '#core/model/problem.ts';
import type { LargeMap, LargeMaps } from './large-map.ts';
import type { Omission, PageOutline, Source } from './source.ts';

/** Maximum number of pages of one import: each takes a kilobyte of a temporary file. */
const maxPages = 10_000_000;
const maxRedirects = 10;

export interface Outlines {
  all: LargeMap<PageOutline>;
  /** Keys that occur more than once in the source. */
  repeated: Set<string>;
  /** Key of the page to which a redirect finally leads; undefined if it is no redirect, or leads nowhere. */
  finalTarget(key: string): string | undefined;
}

/** Refuses `invalid` for a source without pages, and `too-large`. */
export async function outlinesOf(
  source: Source,
  maps: LargeMaps,
  leaveOut: (omission: Omission) => void,
): Promise<Outlines> {
  const all = maps.make<PageOutline>();
  const redirects = maps.make<string>();
  const repeated = new Set<string>();
  let refused: Omission | undefined;
  for await (const entry of source.outline()) {
    if (!('key' in entry)) {
      leaveOut(entry);
      if (entry.isRefusal) refused ??= entry;
    } else if (all.has(entry.key)) {
      repeated.add(entry.key);
      leaveOut({ source: entry.key, why: 'it is in the source twice; only the first is imported' });
    } else {
      all.set(entry.key, entry);
      if (entry.redirect !== undefined) redirects.set(entry.key, entry.redirect);
    }
    if (all.size > maxPages)
      throw new Problem('too-large', `The source contains more than ${maxPages} pages. Import it in parts.`);
  }
  for (const [key, translated] of source.translations?.() ?? []) {
    const outline = all.get(key);
    if (outline) all.set(key, { ...outline, ...translated });
  }
  if (all.size === 0)
    throw new Problem(
      'invalid',
      refused
        ? `The source contains no page that can be read. ${refused.source}: ${refused.why}.`
        : 'The source contains no page.',
    );
  return {
    all,
    repeated,
    finalTarget(key) {
      let at = key;
      for (let steps = 0; steps < maxRedirects; steps++) {
        const next = redirects.get(at);
        if (next === undefined) return at === key || !all.has(at) ? undefined : at;
        at = next;
      }
      return undefined;
    },
  };
}
