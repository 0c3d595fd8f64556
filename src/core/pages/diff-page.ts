/** The difference between two changes of a page, for readers of the page. */
import { say } from '#words/say.ts';
import { type Comparison, diffFields, type FieldChange } from '../content/diff.ts';
import type { Renderer } from '../content/render.ts';
import { fileChanges } from '../files/file-changes.ts';
import type { Change, FileChanges, Page } from '../model/page.ts';
import { Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';
import { viewPage } from './view-page.ts';

export interface PageDiff {
  page: Page;
  /** Null if there was no change before, so that everything counts as added. */
  from: Change | null;
  to: Change;
  fields: FieldChange[];
  body: Comparison;
  files: FileChanges;
}

/** `to` defaults to the current change, and `from` to the one before `to`. Refuses `not-found` for changes of other pages. */
export async function diffPage(
  reader: Reader,
  { language, comparisons }: Pick<Renderer, 'language' | 'comparisons'>,
  path: string,
  wanted: { from?: number; to?: number },
): Promise<PageDiff> {
  const page = await getReadable(reader, path);
  const to = await getChange(reader, page, wanted.to ?? page.changeId);
  const from =
    wanted.from === undefined
      ? await reader.changes.findBefore(page, to.id)
      : await getChange(reader, page, wanted.from);
  const fields = from ? diffFields(from.content, to.content) : [];
  const key = `${from?.id} ${to.id}`;
  let body = comparisons.get(key);
  if (!body) {
    body = await language.compare(from?.content.body ?? '', to.content.body);
    comparisons.set(key, body, sizeOf(body));
  }
  const files = await fileChanges(reader, from?.content, to.content);
  return { page, from: from ?? null, to, fields, body, files };
}

/** The difference between two changes as readers see it, as HTML. Both are shown as this reader may see them now. */
export async function diffShown(
  reader: Reader,
  renderer: Renderer,
  { page, from, to }: Pick<PageDiff, 'page' | 'from' | 'to'>,
  now: number,
): Promise<string> {
  const shown = async (change: Change | null) => {
    if (!change) return '';
    const view = await viewPage({ reader, renderer, now }, page.path, {
      version: change.id,
      history: 'none',
    });
    return 'movedTo' in view ? '' : view.markup;
  };
  return renderer.language.compareShown(await shown(from), await shown(to));
}

/** Approximate size in characters. */
function sizeOf({ hunks }: Comparison): number {
  return hunks.flatMap(({ lines }) => lines).reduce((sum, { text }) => sum + 2 * text.length + 100, 200);
}

async function getChange(reader: Reader, page: Page, id: number): Promise<Change> {
  const change = await reader.changes.find(page, id);
  if (!change) throw new Problem('not-found', say('problem.thePageHasNoChange', { id: String(id) }));
  return change;
}
