/**
 * Aliases declared in the front matter of a Markdown page (`aliases`). They work like the old paths of moved pages: reads and
 * links by path are redirected, unless another page has that path.
 */
import { readFrontMatter } from '@coppice/markdown';
import type { Content } from '../model/page.ts';
import { childPath, isReserved, madeSlugOf, readNewPath } from '../model/path.ts';
import type { Actor } from '../model/permission.ts';
import type { Transaction } from '../ports/store.ts';
import { allowedAliases } from './place.ts';

const maxAliases = 50;

type Declaring = Pick<Content, 'body' | 'format' | 'path'>;

/**
 * Paths by name as written: names that begin with `/` are paths, others are titles whose slug lies beside the page. Names that
 * give no valid path are left out.
 */
export function declaredAliases({ body, format, path }: Declaring): Map<string, string> {
  const declared = new Map<string, string>();
  if (format !== 'markdown' || !body.includes('aliases')) return declared;
  const written = readFrontMatter(body)?.data.aliases;
  const names = Array.isArray(written) ? written : typeof written === 'string' ? written.split(',') : [];
  const above = path.slice(0, path.lastIndexOf('/'));
  for (const name of names.slice(0, maxAliases)) {
    if (typeof name !== 'string') continue;
    const trimmed = name.trim();
    const slug = madeSlugOf(trimmed);
    if (slug === '') continue;
    const read = readNewPath(trimmed.startsWith('/') ? trimmed : childPath(above, slug));
    if ('path' in read && read.path !== path && !isReserved(read.path)) declared.set(trimmed, read.path);
  }
  return declared;
}

/**
 * Called in the transaction that writes the page. Skips paths that already lead to another page for the actor, and those where
 * the actor may not put anything. Returns the paths that no longer lead to the page, for the `paths` of `saveDerived`.
 */
export async function saveDeclaredAliases(
  { store, actor, now }: { store: Transaction; actor: NonNullable<Actor>; now: number },
  pageId: number,
  { content, before }: { content: Declaring; before?: Declaring },
): Promise<string[]> {
  const declared = declaredAliases(content);
  const ended = before
    ? [...declaredAliases(before)].flatMap(([name, path]) => (declared.has(name) ? [] : [path]))
    : [];
  if (ended.length > 0) await store.pages.removeAliases(pageId, ended);
  const paths = await allowedAliases(store, actor, [...new Set(declared.values())], now);
  if (paths.length > 0) {
    const taken = await store.readAs(actor).links.resolve(paths);
    await store.pages.addAliases(paths.filter((path) => !taken.has(path)).map((path) => ({ path, pageId })));
  }
  return ended;
}
