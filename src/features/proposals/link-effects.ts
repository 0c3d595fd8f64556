/**
 * Effects of a proposal on links, as its reader sees the wiki: links in its texts that would lead to no page, and links of other pages
 * to those that it deletes. Only the changes that are compared, and links to the first ten deleted pages.
 */
import type { DerivedLink } from '#core/model/derived.ts';
import { titleKey } from '#core/model/fold.ts';
import type { Content, PageName } from '#core/model/page.ts';
import type { Reader } from '#core/ports/reader.ts';
import type { Store } from '#core/ports/store.ts';
import type { ShownChange } from './show-changes.ts';

const mostListed = 100;
const mostDeleted = 10;
const mostBacklinks = 20;

export interface LinkEffects {
  /** New links to pages that would not exist: the target as it is written, and the path of the page with the link. */
  wanted: { target: string; page: string }[];
  /** Pages outside of the proposal that link to a deleted one. */
  dead: { target: string; page: PageName }[];
}

export async function linkEffects(
  store: Pick<Store, 'derive'>,
  reader: Reader,
  shown: readonly ShownChange[],
): Promise<LinkEffects> {
  const [wanted, dead] = await Promise.all([wantedBy(store, reader, shown), deadBy(reader, shown)]);
  return { wanted: wanted.slice(0, mostListed), dead: dead.slice(0, mostListed) };
}

async function wantedBy(
  store: Pick<Store, 'derive'>,
  reader: Reader,
  shown: readonly ShownChange[],
): Promise<LinkEffects['wanted']> {
  const added: LinkEffects['wanted'] = [];
  for (const { change, difference } of shown) {
    if (!difference || difference.before.body === difference.after.body) continue;
    const page = change.page?.path ?? change.path;
    const before = new Set(await targetsOf(store, { ...difference.before, path: page }));
    for (const target of await targetsOf(store, { ...difference.after, path: page }))
      if (!before.has(target)) added.push({ target, page });
  }
  const found = await reader.links.resolve([...new Set(added.map(({ target }) => target))]);
  const deleted = new Set(
    shown.flatMap(({ change }) => (change.action === 'delete' ? (change.pageId ?? []) : [])),
  );
  const made = new Set(
    shown.flatMap(({ change: { action, path, fields = {} } }) =>
      action === 'delete'
        ? []
        : [...(action === 'create' ? [path] : []), fields.path, fields.title].flatMap((name) =>
            name === undefined ? [] : [keyOf(name)],
          ),
    ),
  );
  return added.filter(({ target }) => {
    const page = found.get(target);
    return (!page || deleted.has(page.id)) && !made.has(keyOf(target));
  });
}

async function targetsOf({ derive }: Pick<Store, 'derive'>, content: Content): Promise<string[]> {
  const { derived } = await derive(content);
  return derived.links.filter(isOfPage).map(({ target }) => target);
}

function keyOf(target: string): string {
  return target.startsWith('/') ? target : titleKey(target);
}

function isOfPage({ kind }: DerivedLink): boolean {
  return kind === 'page';
}

async function deadBy(reader: Reader, shown: readonly ShownChange[]): Promise<LinkEffects['dead']> {
  const changed = new Set(shown.flatMap(({ change }) => change.pageId ?? []));
  const deleted = shown.flatMap(({ change }) => (change.action === 'delete' ? (change.page ?? []) : []));
  const range = { limit: mostBacklinks, offset: 0 };
  const found = await Promise.all(
    deleted.slice(0, mostDeleted).map(async (target) => {
      const { pages } = await reader.links.backlinks(target, range);
      // Pages of the proposal show their links in their own texts.
      return pages.filter(({ id }) => !changed.has(id)).map((page) => ({ target: target.path, page }));
    }),
  );
  return found.flat();
}
