/**
 * Carries out here what happened to pages in the source: moves those whose files were moved, and puts those whose files were
 * deleted into the trash. A page that was changed here since is never deleted.
 */

import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import { deletePage } from '#core/pages/delete-page.ts';
import { saveEdit } from '#core/pages/edit-page.ts';
import type { Files } from '#core/ports/file-store.ts';
import type { Store } from '#core/ports/store.ts';
import type { GonePage } from './gone-pages.ts';
import { noteOf, withNote } from './note.ts';
import { movedMessage } from './steps.ts';

export interface GoneEntry {
  /** Key under which it was imported; the path for the page of a folder. */
  source: string;
  path: string;
  /** File that it is now, and the path that this file asks for. */
  movedTo?: { source: string; path: string };
  /** `edited`: it stays because it was changed here. `refused`: it stays, and `why` says the reason. */
  outcome: 'stays' | 'edited' | 'deleted' | 'moved' | 'refused';
  why?: string;
}

interface PruneOptions {
  actor: NonNullable<Actor>;
  now: number;
  isDry: boolean;
  prunes: boolean;
}

/** Deletions beyond this share of a large import need `isForced`: the source may be a part of what it was. */
const maxShare = 0.5;
const fewPages = 20;

/** Refuses `invalid` if most of an earlier import would be deleted. `known`: pages of it that the source still has. */
export function refuseExcessivePruning(gone: readonly GonePage[], known: number): void {
  const count = gone.filter(({ movedTo }) => !movedTo).length;
  if (count <= fewPages || count <= maxShare * (count + known)) return;
  throw new Problem(
    'invalid',
    `Pruning would delete ${count} of ${count + known} pages, because the source does not have them. If the source is complete, use --prune with --force on the command line; otherwise import without pruning.`,
  );
}

/** Resolves to what became of each page; without pruning they stay. */
export async function prune(
  wiki: { store: Store; files: Files },
  gone: readonly GonePage[],
  options: PruneOptions,
): Promise<GoneEntry[]> {
  const entries: GoneEntry[] = [];
  // Parents move first, and children are deleted first.
  const moved = gone.filter(({ movedTo }) => movedTo).toSorted((a, b) => depthOf(a) - depthOf(b));
  const deleted = gone.filter(({ movedTo }) => !movedTo).toSorted((a, b) => depthOf(b) - depthOf(a));
  for (const one of [...moved, ...deleted]) {
    const entry = { source: one.key || one.page.path, path: one.page.path, ...movedEntry(one) };
    if (one.page.isTouched && !one.movedTo) entries.push({ ...entry, outcome: 'edited' });
    else if (!options.prunes) entries.push({ ...entry, outcome: 'stays' });
    else entries.push({ ...entry, ...(await carryOut(wiki, one, options)) });
  }
  return entries;
}

function movedEntry({ movedTo }: GonePage): Pick<GoneEntry, 'movedTo'> {
  return movedTo ? { movedTo: { source: movedTo.key, path: movedTo.path } } : {};
}

async function carryOut(
  { store, files }: { store: Store; files: Files },
  { page, movedTo }: GonePage,
  { actor, now, isDry }: PruneOptions,
): Promise<Pick<GoneEntry, 'outcome' | 'why'>> {
  const outcome = movedTo ? 'moved' : 'deleted';
  if (isDry) return { outcome };
  try {
    // Parents may have taken it along.
    const held = await store.readAsSystem().pages.findById(page.id);
    if (!held) return { outcome };
    if (!movedTo) await deletePage({ store, actor, now }, held.path, {});
    else {
      const note = { ...page.note, ...noteOf(held.content.data), source: movedTo.key, wanted: movedTo.path };
      const data = withNote(held.content.data, note);
      const input = { path: movedTo.path, parent: movedTo.parentPath, data, msg: movedMessage };
      await saveEdit({ store, files, actor, now }, held.path, input);
    }
    return { outcome };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
    return { outcome: 'refused', why: error.message };
  }
}

function depthOf({ page, movedTo }: GonePage): number {
  return (movedTo?.path ?? page.path).split('/').length;
}
