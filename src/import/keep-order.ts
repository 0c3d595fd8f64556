/** Gives imported pages the order that their source has, unless somebody has arranged their siblings here. */
import type { Store } from '#core/ports/store.ts';

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
