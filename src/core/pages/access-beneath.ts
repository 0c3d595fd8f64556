/**
 * Access that a new page at a path would have, as far as the actor may know: defaults of unreadable ancestors are not revealed.
 */

import { subjectOf } from '../model/grant.ts';
import type { AccessDefaults } from '../model/page.ts';
import { defaultsBeneath } from '../model/page-group.ts';
import type { Reader } from '../ports/reader.ts';
import type { Store } from '../ports/store.ts';
import { findReadable } from '../reading/find-page.ts';

/** Returns undefined if no readable ancestor has defaults, or if no page is possible at this path. */
export async function accessBeneath(reader: Reader, path: string): Promise<AccessDefaults | undefined> {
  const parent = path.startsWith('/') ? await findReadable(reader, path) : undefined;
  if (!parent) return undefined;
  const above = await reader.pages.outlines([...parent.trail, parent.id]);
  const giving = above.flatMap(({ id, defaults }) => (defaults ? [[id, defaults] as const] : []));
  return defaultsBeneath(parent, new Map(giving));
}

/** Subjects of the grants that a new page beneath the page at `path` inherits, each once; empty if the actor may not read that page. */
export async function subjectsBeneath(
  store: Pick<Store, 'grants'>,
  reader: Reader,
  path: string,
): Promise<number[]> {
  const parent = path.startsWith('/') ? await findReadable(reader, path) : undefined;
  if (!parent) return [];
  const above = await store.grants.passedOnBy([...parent.trail, parent.id]);
  return [...new Set(above.flatMap(({ grants }) => grants.map(subjectOf)))];
}
