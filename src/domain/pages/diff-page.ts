/** The difference between two changes of a page, for whoever may read the page. */
import { type Comparison, diffFields, type FieldChange } from '../content/diff.ts';
import { diffHtml } from '../content/diff-html.ts';
import type { Renderer } from '../content/render.ts';
import { type FileChanges, fileChanges } from '../files/file-changes.ts';
import type { Actor } from '../permission.ts';
import type { Store } from '../ports/store.ts';
import { Problem } from '../problem.ts';
import { getReadable } from './find-page.ts';
import { findChange, findChangeBefore } from './list-history.ts';
import type { Change, Page } from './page.ts';

export interface PageDiff {
  page: Page;
  /** Null: nothing came before, so all of it was added. */
  from: Change | null;
  to: Change;
  fields: FieldChange[];
  body: Comparison;
  files: FileChanges;
  /** The same for people: every text in it is escaped. */
  html: string;
}

/** `to`: by default the current change. `from`: by default the one before `to`. Refuses `not-found` for other pages' changes. */
export async function diffPage(
  store: Store,
  { language, comparisons }: Pick<Renderer, 'language' | 'comparisons'>,
  actor: Actor,
  path: string,
  wanted: { from?: number; to?: number },
): Promise<PageDiff> {
  const page = await getReadable(store, actor, path);
  const to = await getChange(store, actor, page, wanted.to ?? page.changeId);
  const from =
    wanted.from === undefined
      ? await findChangeBefore(store, actor, page, to.id)
      : await getChange(store, actor, page, wanted.from);
  const fields = from ? diffFields(from.content, to.content) : [];
  const key = `${from?.id} ${to.id}`;
  let body = comparisons.get(key);
  if (!body) {
    body = await language.compare(from?.content.body ?? '', to.content.body);
    comparisons.set(key, body, sizeOf(body));
  }
  const files = await fileChanges(store, from?.content, to.content);
  return { page, from: from ?? null, to, fields, body, files, html: diffHtml(fields, body, files) };
}

/** In characters, as far as it need be known. */
function sizeOf({ hunks }: Comparison): number {
  return hunks.flatMap(({ lines }) => lines).reduce((sum, { text }) => sum + 2 * text.length + 100, 200);
}

async function getChange(store: Store, actor: Actor, page: Page, id: number): Promise<Change> {
  const change = await findChange(store, actor, page, id);
  if (!change) throw new Problem('not-found', `The page has no change ${id}.`);
  return change;
}
