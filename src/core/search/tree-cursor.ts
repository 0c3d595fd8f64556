/**
 * Cursors of a list in the order of the tree. Each names the last pages of the list so far, so that it goes on after the last one
 * that is still beneath the ancestor, whatever was deleted or moved away meanwhile. It says nothing of where pages stand, which
 * would tell how many hidden ones are between them.
 */
import { say } from '#words/say.ts';
import { invalid } from '../model/problem.ts';
import type { Position } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';

const maxNamed = 20;

/** Key of the cursor after these pages: the IDs of the last pages of the list, separated by spaces. */
export function treeKey(before: Position | undefined, ids: readonly number[]): string {
  return [...idsIn(before), ...ids].slice(-maxNamed).join(' ');
}

/** ID of the page after which the list goes on. Refuses `invalid` if all that the cursor names are gone. */
export async function resumeTree(reader: Reader, from: Position, ancestorId: number): Promise<number> {
  const ids = idsIn(from);
  const pages = await reader.pages.states(ids);
  const beneath = new Set(pages.filter(({ trail }) => trail.includes(ancestorId)).map(({ id }) => id));
  const last = ids.findLast((id) => beneath.has(id));
  if (last === undefined) throw invalid('?cursor', say('problem.thePagesWhereThisListWentOn'));
  return last;
}

function idsIn(position: Position | undefined): number[] {
  if (!position) return [];
  const ids = String(position.key).split(' ').map(Number);
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0).slice(-maxNamed);
}
