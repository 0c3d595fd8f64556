/** Makes imported pages translations of their originals, unless they belong to a set here already. */
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { originalAfter } from '#core/pages/translation-set.ts';
import type { Store, Transaction } from '#core/ports/store.ts';
import type { PlannedPage } from './planned-page.ts';
import { slicesOf } from './slices.ts';
import type { Approximation, LinkPlan, Omission, PageOutline } from './source.ts';

export interface NewTranslation {
  /** Name in the source, for the certificate. */
  source: string;
  id: number;
  originalId: number;
  /** Change of the original that it renders; undefined for the latest. */
  rendered: { change: number; paragraphs: readonly string[] } | undefined;
}

/** Says of which page this one is a translation, for the certificate. */
export function recognised(outline: PageOutline | undefined, plan: LinkPlan): Approximation[] {
  const original = outline?.original && plan.pageOf(outline.original.key);
  if (!outline?.original || !original) return [];
  const after = `${outline.language ?? ''} ${original.path}`.trim();
  return [{ construct: outline.original.construct, before: outline.key, after }];
}

/** Makes pages that were written translations of their originals, as the source has them. */
export async function keepRecognised(
  store: Store,
  plan: LinkPlan & { pages(): Iterable<Pick<PlannedPage, 'outline' | 'path'>> },
  actor: NonNullable<Actor>,
  leaveOut: (omission: Omission) => void,
): Promise<void> {
  const pairs = Iterator.from(plan.pages()).flatMap(({ outline, path }) => {
    const original = outline?.original && plan.pageOf(outline.original.key);
    // A redirect may lead from the original to its translation.
    return outline && original && original.path !== path
      ? [{ source: outline.key, path, original: original.path }]
      : [];
  });
  for (const some of slicesOf([...pairs])) {
    const paths = some.flatMap(({ path, original }) => [path, original]);
    const found = await store.readAsSystem().links.resolve([...new Set(paths)]);
    const written = some.flatMap(({ source, path, original }) => {
      const [page, of] = [found.get(path), found.get(original)];
      return page && of ? [{ source, id: page.id, originalId: of.id, rendered: undefined }] : [];
    });
    await keepTranslations(store, actor, written, leaveOut);
  }
}

/** Number of translations in one transaction. */
const atOnce = 100;

export async function keepTranslations(
  store: Store,
  actor: NonNullable<Actor>,
  translations: readonly NewTranslation[],
  leaveOut: (omission: Omission) => void,
): Promise<void> {
  for (const some of slicesOf(translations, atOnce)) {
    const refused = await store.transact((store) => translate(store, actor, some));
    for (const omission of refused) leaveOut(omission);
  }
}

async function translate(
  store: Transaction,
  actor: NonNullable<Actor>,
  translations: readonly NewTranslation[],
): Promise<Omission[]> {
  const ids = translations.map(({ id }) => id);
  await store.pages.lockByIds([...new Set(ids)], 'update');
  const pages = await store.readAsSystem().pages.states(ids);
  const alone = new Set(pages.flatMap(({ id, originalId }) => (originalId === null ? [id] : [])));
  const refused: Omission[] = [];
  store.pages.keep();
  for (const { source, id, originalId, rendered } of translations) {
    if (!alone.has(id)) continue;
    try {
      const original = await originalAfter(store, actor, { id, originalId: null }, originalId);
      if (!original) continue;
      await store.pages.translate({ id, originalId: null }, original);
      if (rendered && original === originalId)
        await store.pages.render({ id, originalId: original }, rendered.change, rendered.paragraphs);
    } catch (error) {
      // Found before anything was written, so the others can go on.
      if (!(error instanceof Problem) || error.code !== 'invalid') throw error;
      refused.push({ source, why: error.message, isRefusal: true });
    }
  }
  return refused;
}
