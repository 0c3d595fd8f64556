/** Whether a path can be given to a new page. Says so for private pages too: the interface demands it. */
import { escapeHtml } from '@coppice/wikitext';
import { isReserved, readPath } from './path.ts';
import type { Store } from './store.ts';

/** `error` is HTML: a sentence for the person, with everything from outside escaped. */
export async function checkPath(
  store: Store,
  text: string,
): Promise<{ ok: true } | { ok: false; error: string }> {
  const read = readPath(text);
  if ('problem' in read) return { ok: false, error: escapeHtml(read.problem) };
  const shown = `<code>${escapeHtml(read.path)}</code>`;
  if (isReserved(read.path)) return { ok: false, error: `The path ${shown} is reserved for Coppice itself.` };
  if (await store.pages.findByPath(read.path)) {
    return { ok: false, error: `A page at ${shown} already exists.` };
  }
  return { ok: true };
}
