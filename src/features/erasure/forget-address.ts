/**
 * Addresses that say what was erased. The address of a page is made from its first title and stays when the title changes, so it
 * goes with that title, out of the history and out of the addresses of the pages beneath as well.
 */
import type { Content, Page, PastContent } from '#core/model/page.ts';
import { isReserved, madeSlugOf } from '#core/model/path.ts';
import type { Actor } from '#core/model/permission.ts';
import type { Transaction } from '#core/ports/store.ts';
import { rewriteChanges } from './rewrite-changes.ts';

/** Whether a slug was made from an erased title, with a number where the address was taken. */
export function isMadeFrom(slug: string, lostSlugs: ReadonlySet<string>): boolean {
  return slug !== '' && (lostSlugs.has(slug) || lostSlugs.has(slug.replace(/-\d+$/, '')));
}

/** The part of a path behind its last slash. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A free address of the page made from this title, if the present one was made from an erased one. */
export async function addressWithout(
  { store, actor }: { store: Transaction; actor: NonNullable<Actor> },
  { id, path, slug }: Page,
  title: string,
  lostSlugs: ReadonlySet<string>,
): Promise<Pick<Content, 'slug' | 'path'> | undefined> {
  const segment = lastSegment(path);
  if (!isMadeFrom(slug, lostSlugs) && !isMadeFrom(segment, lostSlugs)) return undefined;
  const wanted = madeSlugOf(title) || 'page';
  const above = path.slice(0, path.length - segment.length);
  const isTaken = async (path: string) =>
    isReserved(path) || (await store.readAs(actor).pages.findAccess(path)) !== undefined;
  const isFree = !isMadeFrom(wanted, lostSlugs) && !(await isTaken(above + wanted));
  const free = isFree ? wanted : `${isMadeFrom(wanted, lostSlugs) ? 'page' : wanted}-${id}`;
  return { slug: free, path: isMadeFrom(segment, lostSlugs) ? above + free : path };
}

/** A version of the page with its present address in place of one that is erased. */
export function withoutAddress(
  content: PastContent,
  { slug, path }: Page,
  lostPaths: ReadonlySet<string>,
  lostSlugs: ReadonlySet<string>,
): PastContent {
  const isSlugLost = isMadeFrom(content.slug, lostSlugs);
  const isPathLost = lostPaths.has(content.path);
  if (!isSlugLost && !isPathLost) return content;
  return {
    ...content,
    ...(isSlugLost ? { slug } : {}),
    ...(isPathLost ? { path } : {}),
  };
}

/** Replaces the beginning of the addresses that the versions of pages beneath the page had. */
export async function forgetAddressBeneath(store: Transaction, page: Page, lost: string): Promise<void> {
  const replaced = <P extends string | null>(path: P) =>
    path !== null && (path === lost || path.startsWith(`${lost}/`))
      ? page.path + path.slice(lost.length)
      : path;
  await rewriteChanges(store, store.erasure.contentsBeneath({ ...page, path: lost }), (content) => {
    const [path, parent] = [replaced(content.path), replaced(content.parent)];
    return path === content.path && parent === content.parent ? content : { ...content, path, parent };
  });
}
