/** Gives imported pages the order that their source has, unless somebody has arranged their siblings here. */
import type { Store } from '#core/ports/store.ts';
import type { PlannedPage } from './planned-page.ts';

/** Maximum number of siblings that are placed; the others follow by title. */
const mostPlaced = 500;

/** `ids`: children of the page, or root pages if it is null, in their order. Others are left out. */
export async function keepOrder(
  store: Store,
  parentId: number | null,
  ids: readonly number[],
): Promise<void> {
  await store.transact(async (store) => {
    const [parent] = parentId === null ? [] : await store.pages.lockByIds([parentId], 'update');
    const children = await store.pages.lockByIds([...ids], 'share');
    const known = new Set(
      children.filter(({ trail }) => (trail.at(-1) ?? null) === parentId).map(({ id }) => id),
    );
    const isArranged = (await store.order.lockSiblings(parentId, [])).length > 0;
    const ranked = [...new Set(ids)].filter((id) => known.has(id)).map((id, rank) => ({ id, rank }));
    if (isArranged || ranked.length === 0 || (parentId !== null && !parent)) return store.pages.keep();
    await store.order.rank(parent ? [...parent.trail, parent.id] : [], ranked);
  });
}

/** Gives written pages the positions that their outlines state. Root pages are only placed in a wiki that has no others. */
export async function keepOrders(
  store: Store,
  pages: Iterable<Pick<PlannedPage, 'outline' | 'path' | 'parentPath'>>,
): Promise<void> {
  const byParent = new Map<string | null, { path: string; order: number }[]>();
  let roots = 0;
  for (const { outline, path, parentPath } of pages) {
    if (parentPath === null) roots++;
    if (outline?.order === undefined) continue;
    const siblings = byParent.get(parentPath) ?? [];
    siblings.push({ path, order: outline.order });
    byParent.set(parentPath, siblings);
  }
  const reader = store.readAsSystem();
  for (const [parentPath, siblings] of byParent) {
    const paths = siblings.sort((a, b) => a.order - b.order).map(({ path }) => path);
    const placed = paths.slice(0, mostPlaced);
    const found = await reader.links.resolve(parentPath === null ? placed : [parentPath, ...placed]);
    const idOf = (path: string) => found.get(path)?.id;
    const parentId = parentPath === null ? null : idOf(parentPath);
    const ids = placed.flatMap((path) => idOf(path) ?? []);
    if (parentId === undefined) continue;
    const all = parentId === null ? await reader.lists.children(null, { limit: 1, offset: 0 }) : undefined;
    if (all && all.total > roots) continue;
    await keepOrder(store, parentId, ids);
  }
}
