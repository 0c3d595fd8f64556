/** Merges changes of the source into a page that was edited in the wiki since its import. */

import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import { hashOf, type ImportNote, withNote } from './note.ts';
import type { ExistingPage } from './planned-page.ts';

const changesAtOnce = 50;

/**
 * Three-way merge with the last imported text as the base; `kept` if both changed the same lines, which leaves the page as it
 * is.
 */
export async function mergeInto(
  { store, files }: { store: Store; files: Files },
  existing: ExistingPage,
  { body, note }: { body: string; note: ImportNote },
  { actor, isForced, now }: { actor: NonNullable<Actor>; isForced: boolean; now: number },
): Promise<'unchanged' | 'merged' | 'kept' | 'overwritten'> {
  if (existing.note.body === note.body) return 'unchanged';
  const base = isForced ? undefined : await importedChange(store, existing);
  if (!isForced && base === undefined) return 'kept';
  const page = await store.readAsSystem().pages.findById(existing.id);
  const data = withNote(page?.content.data ?? {}, note);
  const input = { body, data, msg: `Imported from ${note.from}`, ...(base ? { base } : {}) };
  try {
    await saveEdit({ store, files, actor, now }, existing.path, input);
  } catch (error) {
    if (error instanceof Problem && error.code === 'edit-conflict') return 'kept';
    throw error;
  }
  return isForced ? 'overwritten' : 'merged';
}

/** The latest change of the page with the imported text. */
async function importedChange(store: Store, { id, note }: ExistingPage): Promise<number | undefined> {
  const reader = store.readAsSystem();
  const page = await reader.pages.findById(id);
  if (!page) return undefined;
  for (let offset = 0; ; offset += changesAtOnce) {
    const { changes, total } = await reader.changes.list(page, { limit: changesAtOnce, offset });
    const found = changes.find(({ content }) => hashOf(content.body) === note.body);
    if (found) return found.id;
    if (changes.length === 0 || offset + changesAtOnce >= total) return undefined;
  }
}
