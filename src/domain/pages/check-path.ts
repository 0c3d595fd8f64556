/** Whether a path can be given to a new page. Says so for private pages too: the interface demands it. */
import { escapeHtml } from '@coppice/wikitext';
import { type Dependency, leadsTo } from '#cache/dependency.ts';
import type { Store } from '../ports/store.ts';
import { titleKey } from '../search/fold.ts';
import { isReserved, readPath } from './path.ts';

/** `error` is HTML: a sentence for the person, with everything from outside escaped. */
export async function checkPath(
  store: Store,
  text: string,
): Promise<{ check: { ok: true } | { ok: false; error: string }; dependencies: Dependency[] }> {
  const read = readPath(text);
  if ('problem' in read) return unusable(escapeHtml(read.problem));
  const shown = `<code>${escapeHtml(read.path)}</code>`;
  if (isReserved(read.path)) return unusable(`The path ${shown} is reserved for Coppice itself.`);
  const dependencies = [leadsTo(titleKey(read.path))];
  if (await store.pages.findByPath(read.path)) {
    return unusable(`A page at ${shown} already exists.`, dependencies);
  }
  return { check: { ok: true }, dependencies };
}

function unusable(error: string, dependencies: Dependency[] = []) {
  return { check: { ok: false as const, error }, dependencies };
}
